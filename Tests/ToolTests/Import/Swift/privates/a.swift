import SwiftData

@Model
final class Trip {
    private var kind: Kind = Kind.short
    private(set) var place: Place = Place(name: "private")
    var nested: Nested = Nested.a
    init() {}

    private enum Nested: String, Codable { case a }
}

/// private enum in words
@available(iOS 17, *)
fileprivate
enum Kind: String, Codable {
    case short, long
    private static let all: [Kind] = [Kind.short]
    private var isShort: Bool { self == .short }
}

private struct Place: Codable, Hashable {
    private static let here = Place(name: "here")
    var name: String
}
