import Foundation
import StoreStudio
import StoreTransfer
import Testing
import Trellis

/// Changes that the page sends.
@Suite struct DraftTests {
  private static let schema = """
    schema Draft 1.0.0

    @Model
    class Author {
        @Attribute(.unique) var name: String
        var born: Date?
        var code: UUID = UUID()
        var rating: Double?
        var pages: Int16 = 7
        var total: UInt64?
        var price: Decimal?
        var site: URL?
        var isActive: Bool = true
        var mood: Mood = .calm
        var length: Duration?
        var contact: Contact?
        var signs: [String: Int]?
        var levels: [Int8]?
        var shape: Shape?
        @Attribute(.flattened) var home: Home?
        @Attribute(.externalStorage) var picture: Data?
        @Attribute(.transformable(by: "colors")) var color: Data?
        @Relationship(deleteRule: .cascade, inverse: \\Book.author) var books: [Book] = []
        @Relationship(deleteRule: .deny, inverse: \\Prize.winner) var prizes: [Prize] = []
        @Relationship(inverse: \\Author.students) var teacher: Author?
        var students: [Author] = []
    }

    @Model
    class Book {
        var title: String
        var author: Author?
        @Relationship(minimumModelCount: 1, maximumModelCount: 2, inverse: \\Chapter.book) var chapters: [Chapter] = []
    }

    @Model
    class Novel: Book {
        var genre: String = "crime"
    }

    @Model
    class Chapter {
        var heading: String
        var book: Book?
    }

    @Model
    class Prize {
        var name: String
        var winner: Author
    }

    @Model
    class Note {
        var text: String
        var about: Author?
    }

    enum Mood: String, Codable { case calm, wild }
    enum Shape: Codable { case circle(radius: Double), square }
    struct Contact: Codable { var mail: String; var phones: [Int] = [] }
    struct Home: Codable { var street: String; var city: String? }
    """

  private func makeStore() throws -> DraftStore { try DraftStore(Self.schema) }

  // MARK: Values

  @Test(arguments: [
    ("born", "2026-01-02T03:04:05.25Z", "2026-01-02T03:04:05.25Z"), ("born", "1000000", "2001-01-12T13:46:40Z"),
    ("code", "6f0c1d7b-e2a9-4f53-8000-000000000001", "6F0C1D7B-E2A9-4F53-8000-000000000001"),
    ("rating", "0.1", "0.1"), ("rating", "NaN", "NaN"), ("pages", "-32768", "-32768"),
    ("total", "18446744073709551615", "18446744073709551615"), ("price", "12.50", "12.5"),
    ("site", "https://example.org/a?b=c", "https://example.org/a?b=c"), ("isActive", "false", "false"),
    ("mood", "wild", "wild"), ("length", "1500000000", "1500000000"), ("name", "base64:QQ==", "base64:QQ=="),
    ("name", "", ""), ("contact", #"{"mail":"a","phones":[1,2]}"#, #"{"mail":"a","phones":[1,2]}"#),
    ("contact", #"{"mail":"a"}"#, #"{"mail":"a"}"#), ("signs", #"{"a":1}"#, #"{"a":1}"#),
    ("shape", #"{"circle":{"radius":2}}"#, #"{"circle":{"radius":2}}"#),
    ("shape", #"{"square":{}}"#, #"{"square":{}}"#),
    ("home.city", nil, nil), ("home.street", "Main", "Main"), ("levels", "[-128,127]", "[-128,127]"),
  ])
  func valuesAreSavedInTheirStoredForm(_ name: String, _ text: String?, _ stored: String?) throws {
    let store = try makeStore()
    let key = try store.insert("Author", ["name": "Ada"])
    let answer = try store.update("Author", key, name, from: try store.value("Author", key, name), to: text)
    #expect(DraftStore.summary(answer) == "saved")
    #expect(try store.value("Author", key, name) == stored)
  }

  @Test(arguments: [
    ("born", "yesterday", "must be a date"), ("code", "6f0c", "must be a UUID"), ("rating", "much", "must be a number"),
    ("pages", "32768", "must be an integer from -32768 to 32767"), ("total", "-1", "must be an integer from 0"),
    ("price", "12,5", "must be a decimal number"), ("isActive", "maybe", "must be true or false"),
    ("mood", "angry", "must be one of calm, wild"), ("length", "1.5", "must be a duration in nanoseconds"),
    ("picture", "%", "must be Base64"), ("name", nil, "needs a value"), ("isActive", nil, "needs a value"),
    ("contact", "{", "is not JSON text"), ("contact", "[]", "the value must be an object in braces"),
    ("contact", "{}", "the value needs 'mail'"), ("contact", #"{"mail":1}"#, "the value.mail must be text in quotes"),
    ("contact", #"{"mail":"a","phones":[1,2.5]}"#, "the value.phones[1] must be an integer"),
    ("contact", #"{"mail":"a","fax":1}"#, "the value has no 'fax'; it has mail, phones"),
    ("signs", #"{"a":"b"}"#, "the value.a must be an integer"),
    ("shape", #"{"line":{}}"#, "the value must be an object with a case"),
    ("shape", #"{"circle":{}}"#, "the value.circle needs 'radius'"), ("color", "QQ==", "cannot be changed"),
    ("levels", "[0,128]", "the value[1] must be an integer that Int8 can hold"),
    ("nonsense", "1", "cannot be changed"), ("teacher", "99", "there is no Author 99"),
    ("teacher", "new-7", "there is no Author new-7"),
  ])
  func wrongValuesAreRefused(_ name: String, _ text: String?, _ message: String) throws {
    let store = try makeStore()
    let key = try store.insert("Author", ["name": "Ada"])
    let answer = try store.update("Author", key, name, from: try store.value("Author", key, name), to: text)
    #expect(DraftStore.summary(answer).contains("invalid problem \(name) \(message)"), "\(answer)")
  }

  @Test func largeDataIsAFileAndAnOptionalStructIsNilIfAllPartsAre() throws {
    let store = try makeStore()
    let picture = Data(repeating: 7, count: 300_000).base64EncodedString()
    let key = try store.insert("Author", ["name": "Ada", "picture": picture, "home.street": "Main"])
    let shown = try #require(try store.value("Author", key, "picture"))
    #expect(shown.hasSuffix("-300000"))
    #expect(DraftStore.summary(try store.update("Author", key, "picture", from: shown, to: "QUI=")) == "saved")
    #expect(try store.value("Author", key, "picture")?.hasPrefix("data:2:") == true)
    #expect(DraftStore.summary(try store.update("Author", key, "home.street", from: "Main", to: nil)) == "saved")
    let check = try Connection(store.url.path, .readOnly).rows("SELECT * FROM \"Author\"")
    #expect(check.count == 1)
  }

  // MARK: New rows

  @Test func newRowsReferToEachOther() throws {
    let store = try makeStore()
    let answer = try store.post([
      "inserts": [
        ["entity": "Author", "id": "new-1", "values": ["name": "Ada"]],
        [
          "entity": "Novel", "id": "new-2", "values": ["title": "A", "author": "new-1"],
          "lists": ["chapters": ["add": ["new-3"], "remove": []]],
        ],
        ["entity": "Chapter", "id": "new-3", "values": ["heading": "I"]],
      ]
    ])
    #expect(DraftStore.summary(answer) == "saved")
    let keys = try #require(answer["keys"] as? [String: String])
    #expect(try store.value("Chapter", keys["new-3"] ?? "", "book") == keys["new-2"])
    #expect(try store.value("Book", keys["new-2"] ?? "", "author") == keys["new-1"])
    let history = try store.object("history")
    let transactions = try #require(history["transactions"] as? [[String: Any]])
    #expect(transactions.map { $0["author"] as? String } == ["studio"])
  }

  @Test func anEqualUniqueValueIsRefusedInsteadOfMerged() throws {
    let store = try makeStore()
    try store.insert("Author", ["name": "Ada", "pages": "1"])
    let answer = try store.post(["inserts": [["entity": "Author", "id": "new-1", "values": ["name": "Ada"]]]])
    #expect(DraftStore.summary(answer) == "invalid problem name another Author has the same name")
    let both = try store.post([
      "inserts": ["new-1", "new-2"].map { ["entity": "Author", "id": $0, "values": ["name": "Bob"]] }
    ])
    #expect(DraftStore.summary(both).hasPrefix("invalid problem"))
    let key = try store.insert("Author", ["name": "Eve"])
    let renamed = try store.update("Author", key, "name", from: "Eve", to: "Ada")
    #expect(DraftStore.summary(renamed) == "invalid problem name another Author has the same name")
    #expect(try store.value("Author", key, "name") == "Eve")
  }

  @Test func listsKeepTheirBounds() throws {
    let store = try makeStore()
    let answer = try store.post(["inserts": [["entity": "Book", "id": "new-1", "values": ["title": "A"]]]])
    #expect(DraftStore.summary(answer) == "invalid problem chapters needs at least 1 row, but would have 0")
    let chapter = try store.insert("Chapter", ["heading": "I"])
    let book = try store.insert("Book", ["title": "A"], lists: ["chapters": [chapter]])
    let cleared = try store.update("Chapter", chapter, "book", from: book, to: nil)
    #expect(DraftStore.summary(cleared) == "invalid problem chapters needs at least 1 row, but would have 0")
    let deleted = try store.post(["deletes": [["entity": "Chapter", "key": chapter]]])
    #expect(DraftStore.summary(deleted) == "invalid problem chapters needs at least 1 row, but would have 0")
  }

  // MARK: One-to-one relationships

  private static let pairs = """
    schema Pairs 1.0.0

    @Model
    class Author {
        var name: String
        @Relationship(inverse: \\Pass.holder) var pass: Pass?
    }

    @Model
    class Pass {
        var code: String
        var holder: Author?
    }
    """

  /// Each case starts with Author 1 and Pass 1 connected, and Author 2 and Pass 2 free.
  @Test(arguments: [
    (["Pass 1 holder 1 nil", "Author 2 pass nil 1"], "saved", ["2:1"]),
    (["Author 2 pass nil 1"], "confirm cleared Author.pass 1", ["2:1"]),
    (["Author 1 pass 1 2"], "saved", ["1:2"]),
    (["Author 1 pass 1 2", "Author 2 pass nil 1"], "saved", ["1:2", "2:1"]),
    (["Author 1 pass 1 2", "Author 2 pass nil 2"], "invalid", ["1:1"]),
    (["Pass 1 holder 1 2", "Pass 2 holder nil 2"], "invalid", ["1:1"]),
    (["Author 2 pass nil 1", "Pass 1 holder 1 nil"], "saved", ["2:1"]),
    (["Author 1 pass 1 nil"], "saved", []),
  ])
  func pairsHaveTwoEqualSides(_ changes: [String], _ outcome: String, _ pairs: [String]) throws {
    let store = try DraftStore(Self.pairs)
    let rows = [("Author", "name"), ("Author", "name"), ("Pass", "code"), ("Pass", "code")]
    let inserts = rows.enumerated().map { index, row in
      ["entity": row.0, "id": "new-\(index)", "values": [row.1: "x"]] as [String: Any]
    }
    #expect(DraftStore.summary(try store.post(["inserts": inserts])) == "saved")
    #expect(DraftStore.summary(try store.update("Author", "1", "pass", from: nil, to: "1")) == "saved")
    let updates = changes.map { change -> [String: Any] in
      let parts = change.split(separator: " ").map { $0 == "nil" ? nil : String($0) }
      let values = [parts[2] ?? "": ["from": parts[3] ?? NSNull() as Any, "to": parts[4] ?? NSNull() as Any]]
      return ["entity": parts[0] ?? "", "key": parts[1] ?? "", "values": values]
    }
    var draft: [String: Any] = ["updates": updates]
    var answer = try store.post(draft)
    #expect(DraftStore.summary(answer).hasPrefix(outcome), "\(answer)")
    if answer["outcome"] as? String == "confirm" {
      draft["confirmed"] = (answer["consequences"] as? [String: Any])?["fingerprint"]
      answer = try store.post(draft)
    }
    var found: [String] = []
    for key in ["1", "2"] {
      guard let pass = try store.value("Author", key, "pass") else { continue }
      #expect(try store.value("Pass", pass, "holder") == key)
      found.append("\(key):\(pass)")
    }
    #expect(found == pairs)
    for key in ["1", "2"] {
      guard let holder = try store.value("Pass", key, "holder") else { continue }
      #expect(found.contains("\(holder):\(key)"))
    }
  }

  @Test func aRequiredPartOfAStructWithValuesIsNeeded() throws {
    let store = try makeStore()
    let key = try store.insert("Author", ["name": "Ada", "home.street": "Main", "home.city": "Oslo"])
    let message = "invalid problem home.street needs a value, because other parts of 'home' have one"
    #expect(DraftStore.summary(try store.update("Author", key, "home.street", from: "Main", to: nil)) == message)
    let other = try store.insert("Author", ["name": "Eve"])
    #expect(DraftStore.summary(try store.update("Author", other, "home.city", from: nil, to: "Oslo")) == message)
    let both = ["home.street": ["from": "Main", "to": NSNull()], "home.city": ["from": "Oslo", "to": NSNull()]]
    #expect(
      DraftStore.summary(try store.post(["updates": [["entity": "Author", "key": key, "values": both]]])) == "saved")
  }

  @Test func twoListsCannotTakeTheSameRow() throws {
    let store = try makeStore()
    let chapter = try store.insert("Chapter", ["heading": "I"])
    let lists = ["chapters": ["add": [chapter], "remove": []]]
    let inserts = ["new-1", "new-2"].map {
      ["entity": "Book", "id": $0, "values": ["title": $0], "lists": lists] as [String: Any]
    }
    let answer = DraftStore.summary(try store.post(["inserts": inserts]))
    #expect(answer.contains("problem book is given to two rows by the same save"), "\(answer)")
  }

  @Test func normalizationIsAChange() throws {
    let store = try makeStore()
    let key = try store.insert("Author", ["name": "\u{E9}"])
    #expect(DraftStore.summary(try store.update("Author", key, "name", from: "\u{E9}", to: "e\u{301}")) == "saved")
    #expect(Array(try #require(try store.value("Author", key, "name")).utf8) == Array("e\u{301}".utf8))
    let conflict = try store.update("Author", key, "name", from: "\u{E9}", to: "x")
    #expect(DraftStore.summary(conflict).hasPrefix("conflict"))
  }

  // MARK: Deletions

  @Test func aDeletionFirstShowsWhatItTakesWithIt() throws {
    let store = try makeStore()
    let author = try store.insert("Author", ["name": "Ada"])
    let chapter = try store.insert("Chapter", ["heading": "I"])
    try store.insert("Novel", ["title": "A", "author": author], lists: ["chapters": [chapter]])
    try store.insert("Author", ["name": "Eve", "teacher": author])
    let note = try store.insert("Note", ["text": "About Ada", "about": author])
    var draft: [String: Any] = ["deletes": [["entity": "Author", "key": author]]]
    let expected =
      " deleted Author 1 deleted Novel 1 cleared Author.teacher 1 cleared Chapter.book 1 cleared Note.about 1"
    #expect(DraftStore.summary(try store.post(draft.merging(["isTrial": true]) { $1 })) == "trial" + expected)
    let answer = try store.post(draft)
    #expect(DraftStore.summary(answer) == "confirm" + expected)
    draft["confirmed"] = (answer["consequences"] as? [String: Any])?["fingerprint"]
    // The store has changed since.
    try store.insert("Note", ["text": "Another", "about": author])
    let changed = try store.post(draft)
    #expect(DraftStore.summary(changed).hasSuffix("cleared Note.about 2"))
    draft["confirmed"] = (changed["consequences"] as? [String: Any])?["fingerprint"]
    #expect(DraftStore.summary(try store.update("Author", author, "pages", from: "7", to: "8")) == "saved")
    let edited = try store.post(draft)
    #expect(edited["outcome"] as? String == "confirm")
    draft["confirmed"] = (edited["consequences"] as? [String: Any])?["fingerprint"]
    #expect(DraftStore.summary(try store.post(draft)).hasPrefix("saved"))
    #expect(try store.value("Note", note, "about") == nil)
    let gone = try store.post(draft)
    #expect(DraftStore.summary(gone) == "conflict conflict row nil")
  }

  @Test func aDeletionThatARuleDeniesIsRefused() throws {
    let store = try makeStore()
    let author = try store.insert("Author", ["name": "Ada"])
    let other = try store.insert("Author", ["name": "Eve"])
    let prize = try store.insert("Prize", ["name": "P", "winner": author])
    let denied = try store.post(["deletes": [["entity": "Author", "key": author]]])
    #expect(
      DraftStore.summary(denied) == "invalid problem prizes cannot be deleted while 'prizes' has 1 row")
    // The prize moves to another author in the same save.
    let change = ["from": author, "to": other]
    let moved = try store.post([
      "deletes": [["entity": "Author", "key": author]], "isTrial": true,
      "updates": [["entity": "Prize", "key": prize, "values": ["winner": change]]],
    ])
    #expect(DraftStore.summary(moved) == "trial deleted Author 1")
    let contradiction = try store.post([
      "deletes": [["entity": "Author", "key": other]],
      "updates": [["entity": "Prize", "key": prize, "values": ["winner": change]]],
    ])
    #expect(DraftStore.summary(contradiction) == "invalid problem winner leads to a row that is deleted")
  }

  // MARK: Other programs

  @Test func valuesThatHaveChangedAreConflicts() throws {
    let store = try makeStore()
    let key = try store.insert("Author", ["name": "Ada", "pages": "1"])
    #expect(DraftStore.summary(try store.update("Author", key, "pages", from: "1", to: "2")) == "saved")
    #expect(
      DraftStore.summary(try store.update("Author", key, "pages", from: "1", to: "3")) == "conflict conflict pages 2")
    #expect(DraftStore.summary(try store.update("Author", key, "pages", from: "1", to: "2")) == "saved")
    #expect(DraftStore.summary(try store.update("Author", key, "name", from: "Ada", to: "Eve")) == "saved")
    #expect(try store.value("Author", key, "pages") == "2")
    #expect(
      DraftStore.summary(try store.update("Author", "99", "name", from: "Ada", to: "Eve"))
        == "conflict conflict row nil")
  }

  @Test func trialsAndReadOnlyStudiosWriteNothing() throws {
    let store = try makeStore()
    let insert: [String: Any] = ["inserts": [["entity": "Author", "id": "new-1", "values": ["name": "Ada"]]]]
    #expect(DraftStore.summary(try store.post(insert.merging(["isTrial": true]) { $1 })) == "trial")
    let reading = StudioAPI(try StudioStore(store.url))
    let body = try JSONSerialization.data(withJSONObject: insert)
    let request = HTTPRequest(method: "POST", path: ["token", "api", "save"], body: body)
    #expect(reading.response(to: request).status == 404)
    #expect(try store.object("rows", ["entity": "Author"])["rows"] as? [Int] == [])
  }

  @Test(arguments: [
    "", "[]", "{\"updates\":[{}]}", #"{"updates":[{"entity":"Author","key":"x"}]}"#,
    #"{"inserts":[{"entity":"Nobody","id":"new-1"}]}"#,
    #"{"inserts":[{"entity":"Note","id":"new-1"},{"entity":"Note","id":"new-1"}]}"#,
  ])
  func unreadableDraftsAreErrors(_ text: String) throws {
    let store = try makeStore()
    let request = HTTPRequest(method: "POST", path: ["token", "api", "save"], body: Data(text.utf8))
    #expect(store.api.response(to: request).status == 400)
  }

  // MARK: Help for editors

  @Test func choicesAndRelatedRowsAreFound() throws {
    let store = try makeStore()
    let author = try store.insert("Author", ["name": "Ada"])
    for number in 0..<25 { try store.insert("Note", ["text": "Note \(number)", "about": number < 3 ? author : nil]) }
    for (text, count, isComplete) in [("", 20, false), ("note 2", 6, true), ("nothing", 0, true)] {
      let choices = try store.object("choices", ["entity": "Note", "text": text])
      #expect((choices["rows"] as? [Any])?.count == count)
      #expect(choices["isComplete"] as? Bool == isComplete)
    }
    let query = ["entity": "Note", "of": "Author", "key": author, "through": "Note.about"]
    #expect((try store.object("rows", query)["rows"] as? [Any])?.count == 3)
    let overview = try store.object("store")
    let entities = try #require(overview["entities"] as? [[String: Any]])
    let properties = try #require(
      entities.first { $0["name"] as? String == "Author" }?["properties"] as? [[String: Any]])
    let facts = properties.reduce(into: [String: String]()) { facts, property in
      let kind = property["defaultKind"] ?? property["default"] ?? "none"
      let isOptional = property["isOptional"] as? Bool == true ? "?" : ""
      facts["\(property["name"] ?? "")"] = "\(kind)\(isOptional) \(property["isEditable"] ?? "")"
    }
    #expect(facts["code"] == "uuid 1")
    #expect(facts["pages"] == "7 1")
    #expect(facts["mood"] == "calm 1")
    #expect(facts["home.street"] == "none? 1")
    #expect(facts["color"] == "none? 0")
  }

  // MARK: Rows without a name

  @Test func uniqueNumbersNameRowsAndAreFound() throws {
    let store = try DraftStore(
      """
      schema Orders 1.0.0

      @Model
      class Order {
          @Attribute(.unique) var number: Int
          var note: String = ""
          var price: Decimal
          @Relationship(deleteRule: .cascade, inverse: \\Item.order) var items: [Item] = []
      }

      @Model
      class Item {
          var order: Order?
      }
      """)
    for (number, price) in [("1001", "10"), ("1002", "9.5"), ("1003", "100"), ("1004", "-1")] {
      try store.insert("Order", ["number": number, "price": price, "note": "First"])
    }
    let sorted = try store.object("rows", ["entity": "Order", "sort": "price", "search": "first"])
    let column = try #require((sorted["columns"] as? [String])?.firstIndex(of: "price"))
    let prices = try #require(sorted["rows"] as? [[String: Any]]).map { row in
      ((row["cells"] as? [Any])?[column] as? [String: Any])?["text"] as? String
    }
    #expect(prices == ["-1", "9.5", "10", "100"])
    let found = try #require(try store.object("search", ["text": "1003"])["results"] as? [[String: Any]])
    let texts = found.map { "\($0["label"] ?? "") \($0["property"] ?? "") \($0["text"] ?? "")" }
    #expect(texts == ["Order 1003 number 1003"])
    let choices = try store.object("choices", ["entity": "Order", "text": "1002"])["rows"] as? [[String: Any]]
    #expect(choices?.map { $0["label"] as? String } == ["Order 1002"])
    #expect((try store.object("rows", ["entity": "Order", "search": "1004"])["rows"] as? [Any])?.count == 1)
  }

  @Test func theHistoryOfARowAndOfAnAuthorIsFound() throws {
    let store = try makeStore()
    let key = try store.insert("Author", ["name": "Ada"])
    for number in 0..<60 { try store.insert("Note", ["text": "\(number)"]) }
    _ = try store.update("Author", key, "name", from: "Ada", to: "Eve")
    func count(_ query: [String: String]) throws -> Int? {
      (try store.object("history", query)["transactions"] as? [Any])?.count
    }
    #expect(try count(["entity": "Author", "key": key]) == 2)
    #expect(try count(["author": "STUD"]) == 50)
    #expect(try count(["author": "nobody else"]) == 0)
  }

  // MARK: The file

  @Test func theLogIsClosedWithTheStudio() throws {
    let store = try makeStore()
    try store.insert("Author", ["name": "Ada"])
    #expect(FileStamp.size(store.url.path + "-wal") > 0)
    store.close()
    #expect(FileStamp.size(store.url.path + "-wal") == 0)
    #expect(try store.object("store")["error"] as? String == "the studio has ended")
    let rows = try Connection(store.url.path, .readOnly).rows("SELECT \"name\" FROM \"Author\"")
    #expect(rows == [[.text("Ada")]])
  }

  @Test func triggersOfOtherProgramsPreventChanges() throws {
    let store = try makeStore()
    let connection = try Connection(store.url.path, .existing)
    try connection.execute("CREATE TRIGGER \"evil\" AFTER INSERT ON \"Author\" BEGIN DELETE FROM \"Note\"; END")
    let answer = try store.post(["inserts": [["entity": "Author", "id": "new-1", "values": ["name": "Ada"]]]])
    #expect((answer["error"] as? String)?.contains("1 trigger of other programs, such as 'evil'") == true, "\(answer)")
    try connection.execute("DROP TRIGGER \"evil\"")
    try connection.execute("UPDATE \"trellis_metadata\" SET \"value\" = 99 WHERE \"key\" = 'format'")
    #expect(throws: TransferError.self) { try StudioStore(store.url) }
  }
}
