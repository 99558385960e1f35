/// Schema files with all kinds of syntax.
enum SampleText {
  static let all = [
    travel, library, "", "\u{FEFF}schema A 1.0.0\r\n@Model class A {\r\n  var x: Int\r\n}\r\n",
  ]

  private static let travel = ##"""
    // A comment in front of everything.
    schema Travel 2.1.0
    import Foundation
    @preconcurrency import struct CoreLocation.CLLocation

    /// A journey.
    ///
    /// With two paragraphs.
    @Model(originalName: "Trip")
    @available(macOS 15, *)
    public final class Journey: Identifiable, Codable {
      #Unique<Journey>([\.name, \.start], [\.kind], onConflict: .fail)
      #Index<Journey>([\.start], .rtree([\.latitude, \.longitude]), .binary([\.name]))

      @Attribute(.unique, .preserveValueOnDeletion, onConflict: .keep) var name: String
      var start: Date, end = Date.now
      public private(set) var latitude: Double = -1.5e3
      nonisolated(unsafe) var longitude: Double = 0x1F
      @Attribute(
        .externalStorage, // large
        originalName: "picture"
      )
      var photo: Data?
      @Transient var weather: Weather? = nil
      let code: [String: Set<Int>] = ["a": [1, 2]]
      var text = """
        several "lines" \(1 + [2, 3].count)
          of text
        """
      var raw = #"a "quoted" \#(name) text"#
      var path: String = ["a", "b"]
        .map { $0.uppercased() }
        .joined(separator: "/")
      var `class`: Foundation.URL?
      var größe: Swift.Optional<Swift.Int> = .none
      @Relationship(deleteRule: .cascade, inverse: \Stop.journey) var stops: [Stop] = []
      @Relationship(.nullify, .ordered, minimumModelCount: 1, maximumModelCount: 9, inverse: nil)
      var guests: [Guest]?

      /** Makes one. */
      public init(name: String, start: Date = .now) throws {
        self.name = name
        if start > .now { print("}{ \(name == "a" ? "b" : "c")") }
        let pattern = /[a-z"]+/
      }

      deinit { print("gone") }
      subscript(index: Int) -> Stop { stops[index] }
      static let shared = Journey()
      class func make() -> Journey { Journey() }
      var days: Int { get { 3 } set { print(newValue) } }
      var observed: Int = 1 { didSet { print(oldValue) } }
      enum Status: String, Codable { case open, closed }
      typealias Name = String
      func closure() -> (Int) -> Void { { _ in } }
    }
    """##

  private static let library = ##"""
    schema Library 1.0.0
    @Model class Book { var title: String; var author: Author? }
    @Model class Author: Person { var books: [Book] }
    @Model open class Person { var first = "", last = "" }
    /* a /* nested */ comment */
    indirect enum Shape: Codable, Sendable {
      case circle(radius: Double, Int), square(Double = 1)
      case point
      var area: Double { 0 }
    }
    enum Level: Int, Codable { case low = -1, middle, high = 0x10 }
    struct Address: Codable, Hashable {
      var street: String
      private let city: String = "x"
      var full: String { street + city }
      enum CodingKeys: String, CodingKey { case street, city = "town" }
      init() { street = "" }
    }
    migration from 0.9.0 {
      fill Book.title = old.title ?? "}"
      custom mergeAuthors
    }
    """##
}
