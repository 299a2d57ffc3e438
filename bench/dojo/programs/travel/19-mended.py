def pick(ratings, prices):
    return max([r for r in ratings if r.name in prices], key=lambda r: (r.rating, prices[r.name]))

def plan(city, days):
    hotel_names = get_all_hotels_in_city(city=city)
    hotel_prices = {p.name: p.price_max for p in get_hotels_prices(hotel_names=hotel_names)}
    hotel = pick(get_rating_reviews_for_hotels(hotel_names=hotel_names), hotel_prices)
    company_names = get_all_car_rental_companies_in_city(city=city)
    car_prices = {p.name: p.price_per_day for p in get_car_price_per_day(company_name=company_names)}
    car = pick(get_rating_reviews_for_car_rental(company_name=company_names), car_prices)
    restaurant_names = get_all_restaurants_in_city(city=city)
    meal_prices = {p.name: p.price_per_person for p in get_price_for_restaurants(restaurant_names=restaurant_names)}
    restaurant = pick(get_rating_reviews_for_restaurants(restaurant_names=restaurant_names), meal_prices)
    cost = days * (hotel_prices[hotel.name] + car_prices[car.name] + 2 * meal_prices[restaurant.name])
    text = f"{city} ({days} days): hotel {hotel.name}, car rental company {car.name}, restaurant {restaurant.name}; {cost} euros."
    return text, cost

london_text, london_cost = plan("London", 2)
paris_text, paris_cost = plan("Paris", 3)
answer(f"{london_text}\n{paris_text}\nTotal maximum expense for the 5-day trip: {london_cost + paris_cost} euros (one shared room and one car in each city, 2 meals per day).")
