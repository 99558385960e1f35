import Foundation
import Trellis

/// The schema's entities.
enum Kind: Int, CaseIterable {
  case studio, badge, piece, painting, sculpture, subject, artist

  static let pieces: [Kind] = [.piece, .painting, .sculpture]

  /// True if a model of this kind can be used as `other`.
  func isA(_ other: Kind) -> Bool { self == other || (other == .piece && Kind.pieces.contains(self)) }
}

/// An attribute whose values are derived from numbers, so that a world only stores numbers.
struct Attribute {
  let owner: Kind
  let write: (any PersistentModel, Int) -> Void
  let read: (any PersistentModel) -> String?
  let text: (Int) -> String

  /// An attribute of class `M` with a value for every number.
  static func of<M: PersistentModel, Value>(
    _ owner: Kind, _ keyPath: ReferenceWritableKeyPath<M, Value>,
    _ value: @escaping (Int) -> Value
  ) -> Attribute {
    Attribute(
      owner: owner,
      write: { model, number in (model as? M)?[keyPath: keyPath] = value(number) },
      read: { model in (model as? M).map { "\($0[keyPath: keyPath])" } },
      text: { "\(value($0))" })
  }

  nonisolated(unsafe) static let all: [Attribute] = [
    .of(.studio, \Studio.name) { "n\($0)" },
    .of(.studio, \Studio.opened) { Date(timeIntervalSinceReferenceDate: Double($0)) },
    .of(.studio, \Studio.rating) { $0 % 3 == 0 ? nil : Double($0) / 4 },
    .of(.studio, \Studio.labels) { number in (0..<number % 4).map { "\(number).\($0)" } },
    .of(.studio, \Studio.floor) { $0 % 7 },
    .of(.badge, \Badge.number) { -$0 },
    .of(.piece, \Piece.title) { "t\($0 % 50)" },
    .of(.piece, \Piece.price) { $0 % 2 == 0 ? nil : Decimal($0) },
    .of(.piece, \Piece.state) { PieceState.allCases[$0 % 3] },
    .of(.painting, \Painting.width) { Double($0) / 3 },
    .of(.sculpture, \Sculpture.weight) { $0 },
    .of(.subject, \Subject.word) { "w\($0)" },
    .of(.artist, \Artist.name) { "a\($0)" },
  ]

  /// The indices of a kind's attributes in ``all``.
  static func indices(of kind: Kind) -> [Int] { all.indices.filter { kind.isA(all[$0].owner) } }
}
