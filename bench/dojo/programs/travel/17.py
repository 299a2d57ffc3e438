hotel_names = get_all_hotels_in_city(city="Paris")
hotel_prices = {p.name: p.price_min for p in get_hotels_prices(hotel_names=hotel_names)}
hotel_ratings = get_rating_reviews_for_hotels(hotel_names=hotel_names)
company_names = get_all_car_rental_companies_in_city(city="Paris")
car_prices = {p.name: p.price_per_day for p in get_car_price_per_day(company_name=company_names)}
car_ratings = get_rating_reviews_for_car_rental(company_name=company_names)
restaurant_names = get_all_restaurants_in_city(city="Paris")
meal_prices = {p.name: p.price_per_person for p in get_price_for_restaurants(restaurant_names=restaurant_names)}
restaurant_ratings = get_rating_reviews_for_restaurants(restaurant_names=restaurant_names)

def pick(ratings, prices):
    return min([r for r in ratings if r.name in prices], key=lambda r: (-r.rating, prices[r.name]))

hotel = pick(hotel_ratings, hotel_prices)
car = pick(car_ratings, car_prices)
restaurant = pick(restaurant_ratings, meal_prices)
total = 3 * (hotel_prices[hotel.name] + car_prices[car.name] + 2 * meal_prices[restaurant.name])
answer(f"Hotel: {hotel.name} (rating {hotel.rating}, from {hotel_prices[hotel.name]} per day).\nCar rental company: {car.name} (rating {car.rating}, {car_prices[car.name]} per day).\nRestaurant: {restaurant.name} (rating {restaurant.rating}, {meal_prices[restaurant.name]} per person).\nMinimum cost for a 3-day trip for one person, with two meals a day at the restaurant: {total}.")
