/// The words for strings in the workload.
enum Words {
  /// Most words have at most 15 bytes, which a Swift string stores inline.
  static let destinations = [
    "Kyoto", "Lisbon", "Oslo", "Bergen", "Reykjavík", "Cusco", "Nairobi", "Hanoi", "Porto",
    "Zürich",
    "São Paulo", "Wellington", "Marrakesh", "Ljubljana", "Tbilisi", "Valparaíso", "Tromsø", "Busan",
    "Jaipur", "Cape Town", "Montréal", "Seville", "Dubrovnik", "Tallinn", "Kraków", "Galway",
    "Edinburgh", "Naples", "Athens", "Istanbul", "Samarkand", "Ulaanbaatar", "Queenstown", "Havana",
    "Oaxaca", "Vancouver", "New Orleans", "San Francisco", "Ho Chi Minh City",
    "Santiago de Compostela",
  ]

  static let moods = [
    "Quiet", "Long", "Rainy", "Golden", "Second", "Family", "Winter", "Spring", "Slow", "Great",
  ]
  static let journeys = ["weekend", "road trip", "escape", "crossing", "hike", "retreat", "voyage"]

  static let openings = [
    "Ask the hotel about the late arrival and", "Take the night train, then", "If it rains,",
    "Meet Zoë at the café by the station and", "Früh aufstehen, Rucksack packen,",
    "Remember the adapter and", "Réserver deux places, puis",
  ]
  static let closings = [
    "walk to the old harbour before noon", "look for the small museum",
    "rent two bicycles for a day",
    "try the market on the hill", "keep the afternoon free", "call home in the evening",
  ]

  static let verbs = ["See", "Visit", "Climb", "Sketch", "Find", "Photograph", "Taste"]
  static let things = [
    "the old lighthouse", "the harbour market", "a jazz evening", "the botanic garden",
    "the castle at dawn", "the tram museum", "the night kitchen",
  ]
}
