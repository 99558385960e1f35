import Trellis

/// A model of the matrix: the tag tells the cases of one store apart, the name the models of a case.
protocol Piece: PersistentModel {
  var tag: Int { get }
  var name: String { get }
}

/// `A`: the end whose rule a table names first.
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

/// `B`: can be without the other end.
protocol FreePiece: Piece {
  associatedtype A: OwningPiece
  init(_ tag: Int, _ name: String)
  var one: A? { get set }
  var owner: A? { get set }
  var pairs: [A] { get set }
}

/// `C`: cannot be without its other half.
protocol NeedyPiece: Piece {
  associatedtype A: OwningPiece
  init(_ tag: Int, _ name: String, _ owner: A)
  var one: A { get set }
}

/// `D`: cannot be without its owner.
protocol NeedyMember: Piece {
  associatedtype A: OwningPiece
  init(_ tag: Int, _ name: String, _ owner: A)
  var owner: A { get set }
}

/// `E`: needs at least one of many.
protocol NeedyPartner: Piece {
  associatedtype A: OwningPiece
  init(_ tag: Int, _ name: String)
  var pairs: [A] { get set }
}

/// Has relationships that are their own other end, and some without any.
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
