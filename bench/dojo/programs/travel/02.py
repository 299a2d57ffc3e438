names = get_all_restaurants_in_city(city="Paris")
cuisines = get_cuisine_type_for_restaurants(restaurant_names=names)

def recommend(meal, cuisine):
    matching = [c.name for c in cuisines if cuisine.lower() in c.cuisine_type.lower()]
    if not matching:
        return f"{meal}: I found no restaurant in Paris that serves {cuisine} cuisine."
    ratings = get_rating_reviews_for_restaurants(restaurant_names=matching)
    best = max(ratings, key=lambda r: r.rating)
    prices = get_price_for_restaurants(restaurant_names=[best.name])
    price = next(p.price_per_person for p in prices if p.name == best.name)
    options = ", ".join(f"{r.name} ({r.rating})" for r in ratings)
    return f"{meal}: {cuisine} restaurants and their ratings: {options}. The highest rated is {best.name} with a rating of {best.rating}; it costs {price} per person."

answer(recommend("Lunch", "French") + "\n" + recommend("Dinner", "Chinese"))
