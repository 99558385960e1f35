// Writes trips.csv, the same on every run and every machine:
//
//   swift Schemas/SampleTrips/make-trips.swift > Schemas/SampleTrips/trips.csv

/// SplitMix64 with a fixed seed.
struct Dice {
  private var state: UInt64 = 2026

  mutating func roll(_ sides: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((value ^ (value >> 31)) % UInt64(sides))
  }

  mutating func pick<T>(_ choices: [T]) -> T { choices[roll(choices.count)] }

  mutating func chance(_ percent: Int) -> Bool { roll(100) < percent }
}

struct Place {
  var city: String
  var country: String
  var streets: [String]
  var postal: String
  var sights: [String]
  var price: Int

  init(
    _ city: String, _ country: String, _ postal: String, _ price: Int, _ streets: [String],
    _ sights: [String]
  ) {
    self.city = city
    self.country = country
    self.postal = postal
    self.price = price
    self.streets = streets
    self.sights = sights
  }
}

let places = [
  Place(
    "Reykjavík", "Iceland", "1##", 170, ["Laugavegur", "Skólavörðustígur", "Hverfisgata"],
    [
      "Harpa at night", "Hot pot at Vesturbæjarlaug", "Whale watching from the old harbour",
      "Golden Circle by car", "Settlement exhibition",
    ]),
  Place(
    "Akureyri", "Iceland", "6##", 130, ["Hafnarstræti", "Kaupvangsstræti"],
    ["Goðafoss", "Botanical garden in midsummer", "Ski day at Hlíðarfjall", "Mývatn nature baths"]),
  Place(
    "Húsavík", "Iceland", "64#", 120, ["Garðarsbraut", "Stangarbakki"],
    ["Humpback whales in Skjálfandi", "GeoSea baths", "Ásbyrgi canyon"]),
  Place(
    "Tromsø", "Norway", "90##", 160, ["Storgata", "Grønnegata", "Sjøgata"],
    [
      "Northern lights from Kvaløya", "Arctic Cathedral concert", "Dog sledding",
      "Fjellheisen at sunset",
    ]),
  Place(
    "Bergen", "Norway", "50##", 150, ["Bryggen", "Nygårdsgaten", "Øvregaten"],
    ["Fløibanen at dawn", "Fish market lunch", "Edvard Grieg's home", "Fjord cruise to Mostraumen"]),
  Place(
    "Oslo", "Norway", "01##", 165, ["Karl Johans gate", "Markveien", "Bogstadveien"],
    ["Fram museum", "Sauna at the harbour", "Vigeland park", "Opera roof walk"]),
  Place(
    "Stockholm", "Sweden", "11# ##", 155, ["Götgatan", "Drottninggatan", "Strandvägen"],
    ["Vasa museum", "Archipelago ferry to Vaxholm", "Fika in Gamla stan", "Moderna museet"]),
  Place(
    "Göteborg", "Sweden", "41# ##", 120, ["Avenyn", "Haga Nygata"],
    ["Liseberg", "Feskekôrka", "Southern archipelago by tram and boat"]),
  Place(
    "København", "Denmark", "1###", 165, ["Nørrebrogade", "Vesterbrogade", "Strøget"],
    ["Louisiana museum", "Harbour swim", "Tivoli in December", "Cargo bike day"]),
  Place(
    "Aarhus", "Denmark", "80##", 110, ["Latinerkvarteret", "Jægergårdsgade"],
    ["ARoS rainbow panorama", "Moesgaard museum", "Infinite bridge"]),
  Place(
    "Helsinki", "Finland", "00##0", 135, ["Mannerheimintie", "Aleksanterinkatu"],
    ["Löyly sauna", "Suomenlinna ferry", "Oodi library", "Market hall salmon soup"]),
  Place(
    "Rovaniemi", "Finland", "96##0", 145, ["Koskikatu", "Rovakatu"],
    ["Arctic Circle selfie", "Reindeer farm", "Snowshoe night hike", "Glass igloo"]),
  Place(
    "Tallinn", "Estonia", "10###", 90, ["Pikk", "Viru", "Telliskivi"],
    ["Town wall walk", "Kumu", "Telliskivi flea market"]),
  Place(
    "Rīga", "Latvia", "LV-10##", 80, ["Alberta iela", "Brīvības iela"],
    ["Art nouveau walk", "Central market", "Jūrmala beach"]),
  Place(
    "Vilnius", "Lithuania", "LT-01###", 75, ["Pilies gatvė", "Užupio gatvė"],
    ["Užupis constitution wall", "Trakai castle", "Gediminas tower"]),
  Place(
    "Berlin", "Germany", "10###", 125, ["Torstraße", "Kastanienallee", "Bergmannstraße"],
    ["Museum island", "Tempelhof on wheels", "Late night currywurst", "Stasi museum"]),
  Place(
    "München", "Germany", "80###", 150, ["Leopoldstraße", "Sendlinger Straße"],
    ["Eisbach surfers", "Deutsches Museum", "Andechs by bike"]),
  Place(
    "Hamburg", "Germany", "20###", 135, ["Reeperbahn", "Schulterblatt", "Eppendorfer Weg"],
    ["Elbphilharmonie plaza", "Miniatur Wunderland", "Fish market at five"]),
  Place(
    "Wien", "Austria", "1##0", 140, ["Mariahilfer Straße", "Neubaugasse", "Praterstraße"],
    ["Standing room at the opera", "Naschmarkt", "Sachertorte, twice", "Kunsthistorisches Museum"]),
  Place(
    "Salzburg", "Austria", "50##", 130, ["Getreidegasse", "Linzer Gasse"],
    ["Fortress hike", "Hallstatt day trip", "Marionette theatre"]),
  Place(
    "Zürich", "Switzerland", "80##", 210, ["Langstrasse", "Bahnhofstrasse"],
    ["Limmat float", "Uetliberg", "Fondue tram"]),
  Place(
    "Zermatt", "Switzerland", "39##", 240, ["Bahnhofstrasse", "Hofmattstrasse"],
    ["Gornergrat railway", "Matterhorn at sunrise", "Five lakes walk"]),
  Place(
    "Praha", "Czechia", "1## 00", 95, ["Vinohradská", "Národní", "Karlova"],
    ["Letná beer garden", "Old Jewish cemetery", "Žižkov tower"]),
  Place(
    "Kraków", "Poland", "31-###", 80, ["Floriańska", "Szeroka"],
    ["Wieliczka salt mine", "Kazimierz by night", "Wawel dragon"]),
  Place(
    "Gdańsk", "Poland", "80-###", 78, ["Długa", "Mariacka"],
    ["Solidarity centre", "Amber workshop", "Sopot pier"]),
  Place(
    "Budapest", "Hungary", "10##", 85, ["Andrássy út", "Kazinczy utca"],
    ["Széchenyi baths", "Ruin bar evening", "Parliament tour"]),
  Place(
    "Ljubljana", "Slovenia", "1000", 95, ["Trubarjeva cesta", "Stari trg"],
    ["Lake Bled", "Škocjan caves", "Dragon bridge"]),
  Place(
    "Dubrovnik", "Croatia", "20000", 140, ["Stradun", "Prijeko"],
    ["City walls before nine", "Kayak to Lokrum", "Cable car to Srđ"]),
  Place(
    "Αθήνα", "Greece", "10# ##", 105, ["Ερμού", "Αδριανού"],
    ["Acropolis at opening time", "Anafiotika stairs", "Souvlaki at Kostas"]),
  Place(
    "Χανιά", "Greece", "73# ##", 95, ["Χάληδων", "Ζαμπελίου"],
    ["Samariá gorge", "Bálos lagoon", "Lighthouse at dusk"]),
  Place(
    "İstanbul", "Türkiye", "34###", 85, ["İstiklal Caddesi", "Moda Caddesi"],
    ["Ferry to Kadıköy", "Basilica cistern", "Breakfast in Beşiktaş", "Princes' islands"]),
  Place(
    "Roma", "Italy", "00###", 145, ["Via dei Giubbonari", "Via del Corso", "Via Merulana"],
    [
      "Cacio e pepe in Testaccio", "Appian way by bike", "Galleria Borghese",
      "Keyhole on the Aventine",
    ]),
  Place(
    "Bologna", "Italy", "40###", 115, ["Via dell'Indipendenza", "Via Zamboni"],
    ["Portico walk to San Luca", "Tortellini class", "Two towers"]),
  Place(
    "Palermo", "Italy", "90###", 90, ["Via Maqueda", "Corso Vittorio Emanuele"],
    ["Ballarò market", "Monreale mosaics", "Cefalù by train"]),
  Place(
    "Lisboa", "Portugal", "1###-###", 120, ["Rua Augusta", "Rua da Bica"],
    ["Tram 28 early", "Fado in Alfama", "Pastéis in Belém", "Sintra day"]),
  Place(
    "Porto", "Portugal", "4###-###", 105, ["Rua das Flores", "Rua de Miguel Bombarda"],
    ["Port lodge tasting", "Livraria Lello", "Ribeira at sunset"]),
  Place(
    "Sevilla", "Spain", "41###", 110, ["Calle Sierpes", "Calle Betis"],
    ["Real Alcázar", "Flamenco in Triana", "Metropol Parasol"]),
  Place(
    "Barcelona", "Spain", "08###", 145, ["Carrer de Verdi", "Passeig de Gràcia"],
    ["Sagrada Família", "Bunkers del Carmel", "Boqueria breakfast"]),
  Place(
    "Donostia", "Spain", "20###", 150, ["31 de Agosto Kalea", "Kale Nagusia"],
    ["Pintxos crawl", "La Concha swim", "Chillida Leku"]),
  Place(
    "Paris", "France", "750##", 175, ["Rue Oberkampf", "Rue Mouffetard", "Rue des Martyrs"],
    ["Musée d'Orsay", "Canal Saint-Martin picnic", "Père-Lachaise", "Baguette contest winner"]),
  Place(
    "Lyon", "France", "690##", 120, ["Rue Mercière", "Quai Saint-Antoine"],
    ["Bouchon dinner", "Fête des Lumières", "Traboules walk"]),
  Place(
    "Bruxelles", "Belgium", "10##", 125, ["Rue Neuve", "Chaussée d'Ixelles"],
    ["Comic strip walls", "Magritte museum", "Waffle comparison"]),
  Place(
    "Amsterdam", "Netherlands", "10## XZ", 165, ["Prinsengracht", "Haarlemmerstraat"],
    ["Rijksmuseum first hour", "Canal boat", "NDSM ferry"]),
  Place(
    "London", "United Kingdom", "SE1 #XY", 185,
    ["Borough High Street", "Brick Lane", "Exmouth Market"],
    ["Borough Market", "Evensong at St Paul's", "Kew Gardens", "A play at the National"]),
  Place(
    "Edinburgh", "United Kingdom", "EH1 #XZ", 150, ["Royal Mile", "Cockburn Street"],
    ["Arthur's Seat", "Fringe show", "Whisky tasting"]),
  Place(
    "Galway", "Ireland", "H91 X#Y#", 120, ["Shop Street", "Quay Street"],
    ["Aran islands", "Cliffs of Moher", "Trad session"]),
  Place(
    "New York", "United States", "100##", 260,
    ["Bleecker Street", "Bedford Avenue", "Amsterdam Avenue"],
    ["The High Line", "Staten Island ferry", "Village Vanguard", "Bagels on a bench"]),
  Place(
    "San Francisco", "United States", "941##", 235, ["Valencia Street", "Clement Street"],
    ["Alcatraz", "Golden Gate by bike", "City Lights bookshop"]),
  Place(
    "Montréal", "Canada", "H2X #Y#", 140, ["Boulevard Saint-Laurent", "Rue Saint-Denis"],
    ["Jazz festival", "Smoked meat", "Mont Royal lookout"]),
  Place(
    "Ciudad de México", "Mexico", "06###", 95, ["Avenida Álvaro Obregón", "Calle Orizaba"],
    ["Teotihuacán", "Casa Azul", "Tacos al pastor", "Xochimilco"]),
  Place(
    "São Paulo", "Brazil", "01###-###", 85, ["Rua Augusta", "Avenida Paulista"],
    ["MASP", "Mercadão sandwich", "Ibirapuera run"]),
  Place(
    "Buenos Aires", "Argentina", "C1###", 80, ["Defensa", "Avenida Corrientes"],
    ["Tango in San Telmo", "El Ateneo", "Asado with Julián"]),
  Place(
    "Marrakech", "Morocco", "40###", 75, ["Rue Riad Zitoun", "Derb Dabachi"],
    ["Jardin Majorelle", "Hammam", "Atlas day hike"]),
  Place(
    "Cape Town", "South Africa", "80##", 95, ["Long Street", "Kloof Street"],
    ["Table Mountain", "Robben Island", "Penguins at Boulders"]),
  Place(
    "東京", "Japan", "1##-00##", 150, ["青山通り", "明治通り", "中央通り"],
    ["築地の朝ごはん", "teamLab Planets", "Shimokitazawa records", "Mount Takao"]),
  Place(
    "京都", "Japan", "60#-8###", 145, ["三条通", "河原町通"],
    ["Fushimi Inari at night", "Philosopher's path 🌸", "Tea ceremony", "Arashiyama bamboo"]),
  Place(
    "札幌", "Japan", "06#-00##", 115, ["大通西", "南一条通"], ["雪まつり ❄️", "Ramen alley", "Otaru canal"]),
  Place(
    "서울", "South Korea", "03###", 105, ["종로", "인사동길"],
    ["Gyeongbokgung in hanbok", "Gwangjang market", "Bukhansan hike"]),
  Place(
    "台北", "Taiwan", "1##", 95, ["永康街", "中山北路"],
    ["Din Tai Fung", "Jiufen lanterns", "Elephant mountain"]),
  Place(
    "Hà Nội", "Vietnam", "100###", 55, ["Phố Hàng Gai", "Phố Tạ Hiện"],
    ["Egg coffee", "Hạ Long bay", "Water puppets"]),
  Place(
    "Queenstown", "New Zealand", "9300", 165, ["Shotover Street", "Beach Street"],
    ["Milford Sound", "Ben Lomond track", "Bungy, maybe"]),
  Place(
    "Sydney", "Australia", "20##", 180, ["Crown Street", "King Street"],
    ["Bondi to Coogee", "Opera house tour", "Manly ferry"]),
]

let people = [
  "Amira", "Björn", "Chloé", "Dimitra", "Elif", "Freyja", "Giulia", "Hannah", "Ingrid", "Jürgen",
  "Kenji", "Łukasz", "Mina", "Noor", "Oskar", "Priya", "Rosa", "Søren", "Tomás", "Yuki", "Zoë",
]
let families = [
  "Andersson", "Bianchi", "Dvořák", "García", "Jónsdóttir", "Kowalski", "Müller", "Nakamura",
  "O'Brien", "Papadopoulos", "Silva", "Yılmaz",
]
let companies = [
  "Aurora Pumps", "Blauhaus", "Cartograph", "Delta & Søn", "Fjordlys", "Kobayashi Optics",
  "Lantern Labs", "Nordbrücke", "Quill", "Tessera", "Umbra Foods", "Veritas Rail",
]
let meetings = [
  "kick-off", "audit", "contract talks", "training week", "go-live", "quarterly review",
  "site visit", "trade fair", "interviews",
]
let topics = [
  "Swift", "databases", "cartography", "accessibility", "railways", "food safety", "design",
]
let months = [
  "January", "February", "March", "April", "May", "June", "July", "August", "September",
  "October", "November", "December",
]
let interests = [
  "food", "hiking", "museums", "music", "skiing", "swimming", "photography", "trains", "kids",
  "slow", "winter sun", "city break",
]
let hotelNames = [
  "Hotel Aurora", "Hotel Bellevue", "Hotel Central", "Pension Linden", "Guesthouse Little Owl",
  "The Old Post Office", "Hotel Park", "Hostel North Star", "Casa Azulejo", "Villa Rosa",
  "Hotel Metropol", "Riverside Rooms", "Station Inn", "Hotel Continental", "The Green Door",
  "Hotel zum Anker", "Albergo del Sole", "Hôtel du Lac", "Ryokan Matsu 松", "Lighthouse Apartments",
]
let extras = [
  "Buy postcards, \"real\" ones", "Try the bakery around the corner", "One day without a plan",
  "Long walk, no phone", "Visit Aunt Ilse", "Find the best coffee", "Sunrise photo 📷",
  "Rent bikes", "Second-hand bookshop", "Swim, whatever the weather", "Write to grandma",
]

var dice = Dice()

/// Days since 1970 to `yyyy-MM-dd` (the civil calendar, by Howard Hinnant's arithmetic).
func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
  let z = days + 719_468
  let era = z / 146_097
  let dayOfEra = z - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shifted = (5 * dayOfYear + 2) / 153
  let month = shifted < 10 ? shifted + 3 : shifted - 9
  return (
    yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
  )
}

func text(_ days: Int) -> String {
  let date = civil(days)
  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  return "\(date.year)-\(two(date.month))-\(two(date.day))"
}

func filled(_ pattern: String) -> String {
  String(
    pattern.map { character in
      switch character {
      case "#": return Character("\(dice.roll(10))")
      case "X", "Y", "Z": return dice.pick(Array("ABCDEFGHJKLMNPRSTUVWXY"))
      default: return character
      }
    })
}

func name(_ purpose: String, _ place: Place, _ start: Int, nights: Int) -> String {
  let month = months[civil(start).month - 1]
  let person = dice.pick(people)
  let companion = dice.pick(people.filter { $0 != person })
  switch purpose {
  case "business":
    return dice.chance(70)
      ? "\(dice.pick(companies)) \(dice.pick(meetings))" : "\(place.city) \(dice.pick(topics)) days"
  case "reunion":
    return dice.pick([
      "\(dice.pick(families)) family reunion", "\(person)'s wedding 💍",
      "\(person)'s \(dice.pick(["30th", "40th", "50th", "60th", "80th"])) birthday",
      "Class of \(1988 + dice.roll(25)), \(place.city)", "Old flatmates in \(place.city)",
      "Christmas with the \(dice.pick(families))s 🎄",
    ])
  default:
    return dice.pick([
      nights >= 6 ? "A week in \(place.city)" : "Weekend in \(place.city)",
      "\(place.city) in \(month)",
      "\(place.country) with \(person)", "\(dice.pick(place.sights)), finally",
      "\(person) & \(companion) in \(place.city)",
      "Slow \(month) in \(place.country)", "\(place.city), take two",
    ])
  }
}

func quoted(_ field: String) -> String {
  guard field.contains(where: { ",\"\n".contains($0) }) else { return field }
  return "\""
    + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    + "\""
}

print(
  "name,destination,start,end,purpose,budget,tags,bucket list,accommodation,booking reference,"
    + "price per night,street,postal code,city,country,confirmed")

var seen: Set<String> = []
var bookings: Set<String> = []
let firstDay = 19_724  // 1 January 2024
var written = 0
while written < 2_400 {
  let place = dice.pick(places)
  let purpose = dice.chance(55) ? "personal" : dice.chance(65) ? "business" : "reunion"
  let start = firstDay + dice.roll(4 * 365)
  let nights = purpose == "business" ? 1 + dice.roll(4) : 2 + dice.roll(13)
  let name = name(purpose, place, start, nights: nights)
  guard seen.insert("\(name)|\(start)|\(nights)").inserted else { continue }
  written += 1

  var wishes: [String] = []
  for _ in 0..<(purpose == "business" ? dice.roll(3) : 1 + dice.roll(6)) {
    let wish = dice.chance(75) ? dice.pick(place.sights) : dice.pick(extras)
    if !wishes.contains(where: { $0.hasSuffix(wish) }) {
      wishes.append((dice.chance(40) ? "[x] " : "") + wish)
    }
  }
  var tags: [String] = []
  for _ in 0..<dice.roll(4) {
    let tag = dice.pick(interests)
    if !tags.contains(tag) { tags.append(tag) }
  }
  let price = place.price * (70 + dice.roll(80)) / 100
  let budget =
    dice.chance(85)
    ? "\((price * nights + 150 + dice.roll(60) * 25)).\(dice.pick(["00", "00", "50", "90"]))" : ""
  var row = [
    name, place.city, text(start), text(start + nights), purpose, budget,
    tags.joined(separator: ", "), wishes.joined(separator: "\n"),
  ]
  if dice.chance(88) {
    var booking = filled("BR-#X#Y#Z")
    while !bookings.insert(booking).inserted { booking = filled("BR-#X#Y#Z") }
    row += [
      dice.pick(hotelNames), booking, "\(price).00",
      "\(dice.pick(place.streets)) \(1 + dice.roll(140))", filled(place.postal), place.city,
      place.country, dice.chance(72) ? "yes" : "no",
    ]
  } else {
    row += ["", "", "", "", "", "", "", ""]
  }
  print(row.map(quoted).joined(separator: ","))
}
