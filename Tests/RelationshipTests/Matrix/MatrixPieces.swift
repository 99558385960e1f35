import Trellis

/// A model of the matrix. The tag identifies a case in the store, the name identifies a model in a case.
protocol Piece: PersistentModel {
  var tag: Int { get }
  var name: String { get }
}

/// `A`: the end with the first rule in a table.
protocol OwningPiece: Piece {
  associatedtype B: FreePiece where B.A == Self
  associatedtype C: NeedyPiece where C.A == Self
  associatedtype D: NeedyMember where D.A == Self
  associatedtype E: NeedyPartner where E.A == Self

  init(_ tag: Int, _ name: String)
  var one: B? { get set }
  var many: [B] { get set }
  var pairs: [B] { get set }
  var needyOne: C? { get set }
  var needyMany: [D] { get set }
  var needyPairs: [E] { get set }
  var children: [Self] { get set }
  var parent: Self? { get set }
  var next: Self? { get set }
  var previous: Self? { get set }
}

/// `B`: an end without required relationships.
protocol FreePiece: Piece {
  associatedtype A: OwningPiece
  init(_ tag: Int, _ name: String)
  var one: A? { get set }
  var owner: A? { get set }
  var pairs: [A] { get set }
}

/// `C`: requires its partner.
protocol NeedyPiece: Piece {
  associatedtype A: OwningPiece
  init(_ tag: Int, _ name: String, _ owner: A)
  var one: A { get set }
}

/// `D`: requires its owner.
protocol NeedyMember: Piece {
  associatedtype A: OwningPiece
  init(_ tag: Int, _ name: String, _ owner: A)
  var owner: A { get set }
}

/// `E`: requires at least one of several partners.
protocol NeedyPartner: Piece {
  associatedtype A: OwningPiece
  init(_ tag: Int, _ name: String)
  var pairs: [A] { get set }
}

/// Has relationships that are their own inverse, and relationships without an inverse.
protocol LonerPiece: Piece {
  associatedtype Target: TargetPiece
  init(_ tag: Int, _ name: String)
  var spouse: Self? { get set }
  var friends: [Self] { get set }
  var target: Target? { get set }
  var targets: [Target] { get set }
}

protocol FollowingPiece: Piece {
  associatedtype Target: TargetPiece
  init(_ tag: Int, _ name: String, _ target: Target)
  var target: Target { get set }
}

protocol TargetPiece: Piece {
  init(_ tag: Int, _ name: String)
}
