import Foundation
import SwiftData

// Declarations from apps. They compile unchanged on Apple's platforms.

#if canImport(SwiftData) && !os(iOS)
  infix operator ≈ : ComparisonPrecedence
  func ≈ (first: Double, second: Double) -> Bool { abs(first - second) < 0.5 }

  /// A library's macro.
  @attached(peer) macro Noted(_ text: String) = #externalMacro(module: "TrellisMacros", type: "NothingMacro")

  @dynamicMemberLookup @Model final class Article {
    @Noted("the state of the application") var isDeleted = false
    var hash: String
    var hasChanges: Int = 7
    var modelContext: String?
    var persistentModelID: String = "own"
    var text: String
    var length: Double = 3
    #if os(iOS) || canImport(UIKit)
      var image: Image
    #elseif compiler(>=6.2)
      var caption: String = "none"
    #endif
    var kind: Kind

    enum Kind: Codable, Equatable { case plain, link(to: String) }

    init(text: String, hash: String, kind: Kind = .plain) {
      self.text = text
      self.hash = hash
      self.kind = kind
    }

    subscript(dynamicMember name: String) -> Int { name.count }
    func `is about as long as`(_ other: Double) -> Bool { length ≈ other }
  }
#endif

#if false
  @Model final class Former { var text = "" }
#endif

nonisolated(unsafe) var numbers = 0
func nextNumber() -> Int {
  numbers += 1
  return numbers
}

protocol Numbered { var number: Int { get } }

@Model final class Ticket: Numbered, Identifiable, Hashable {
  var number: Int = nextNumber()
  var place: Int
  init(place: Int) { self.place = place }
}
