// Written by MatrixSchema.swift.

extension NullifyNullifyA: OwningPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NullifyNullifyB: FreePiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NullifyNullifyC: NeedyPiece {
  convenience init(_ tag: Int, _ name: String, _ owner: NullifyNullifyA) {
    self.init(tag: tag, name: name, one: owner)
  }
}
extension NullifyNullifyD: NeedyMember {
  convenience init(_ tag: Int, _ name: String, _ owner: NullifyNullifyA) {
    self.init(tag: tag, name: name, owner: owner)
  }
}
extension NullifyNullifyE: NeedyPartner {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension NullifyCascadeA: OwningPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NullifyCascadeB: FreePiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NullifyCascadeC: NeedyPiece {
  convenience init(_ tag: Int, _ name: String, _ owner: NullifyCascadeA) {
    self.init(tag: tag, name: name, one: owner)
  }
}
extension NullifyCascadeD: NeedyMember {
  convenience init(_ tag: Int, _ name: String, _ owner: NullifyCascadeA) {
    self.init(tag: tag, name: name, owner: owner)
  }
}
extension NullifyCascadeE: NeedyPartner {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension NullifyDenyA: OwningPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NullifyDenyB: FreePiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NullifyDenyC: NeedyPiece {
  convenience init(_ tag: Int, _ name: String, _ owner: NullifyDenyA) {
    self.init(tag: tag, name: name, one: owner)
  }
}
extension NullifyDenyD: NeedyMember {
  convenience init(_ tag: Int, _ name: String, _ owner: NullifyDenyA) {
    self.init(tag: tag, name: name, owner: owner)
  }
}
extension NullifyDenyE: NeedyPartner {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension NullifyNoActionA: OwningPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NullifyNoActionB: FreePiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NullifyNoActionC: NeedyPiece {
  convenience init(_ tag: Int, _ name: String, _ owner: NullifyNoActionA) {
    self.init(tag: tag, name: name, one: owner)
  }
}
extension NullifyNoActionD: NeedyMember {
  convenience init(_ tag: Int, _ name: String, _ owner: NullifyNoActionA) {
    self.init(tag: tag, name: name, owner: owner)
  }
}
extension NullifyNoActionE: NeedyPartner {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension NullifyLoner: LonerPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NullifyFollower: FollowingPiece {
  convenience init(_ tag: Int, _ name: String, _ target: NullifyTarget) {
    self.init(tag: tag, name: name, target: target)
  }
}
extension NullifyTarget: TargetPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension CascadeNullifyA: OwningPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension CascadeNullifyB: FreePiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension CascadeNullifyC: NeedyPiece {
  convenience init(_ tag: Int, _ name: String, _ owner: CascadeNullifyA) {
    self.init(tag: tag, name: name, one: owner)
  }
}
extension CascadeNullifyD: NeedyMember {
  convenience init(_ tag: Int, _ name: String, _ owner: CascadeNullifyA) {
    self.init(tag: tag, name: name, owner: owner)
  }
}
extension CascadeNullifyE: NeedyPartner {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension CascadeCascadeA: OwningPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension CascadeCascadeB: FreePiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension CascadeCascadeC: NeedyPiece {
  convenience init(_ tag: Int, _ name: String, _ owner: CascadeCascadeA) {
    self.init(tag: tag, name: name, one: owner)
  }
}
extension CascadeCascadeD: NeedyMember {
  convenience init(_ tag: Int, _ name: String, _ owner: CascadeCascadeA) {
    self.init(tag: tag, name: name, owner: owner)
  }
}
extension CascadeCascadeE: NeedyPartner {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension CascadeDenyA: OwningPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension CascadeDenyB: FreePiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension CascadeDenyC: NeedyPiece {
  convenience init(_ tag: Int, _ name: String, _ owner: CascadeDenyA) {
    self.init(tag: tag, name: name, one: owner)
  }
}
extension CascadeDenyD: NeedyMember {
  convenience init(_ tag: Int, _ name: String, _ owner: CascadeDenyA) {
    self.init(tag: tag, name: name, owner: owner)
  }
}
extension CascadeDenyE: NeedyPartner {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension CascadeNoActionA: OwningPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension CascadeNoActionB: FreePiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension CascadeNoActionC: NeedyPiece {
  convenience init(_ tag: Int, _ name: String, _ owner: CascadeNoActionA) {
    self.init(tag: tag, name: name, one: owner)
  }
}
extension CascadeNoActionD: NeedyMember {
  convenience init(_ tag: Int, _ name: String, _ owner: CascadeNoActionA) {
    self.init(tag: tag, name: name, owner: owner)
  }
}
extension CascadeNoActionE: NeedyPartner {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension CascadeLoner: LonerPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension CascadeFollower: FollowingPiece {
  convenience init(_ tag: Int, _ name: String, _ target: CascadeTarget) {
    self.init(tag: tag, name: name, target: target)
  }
}
extension CascadeTarget: TargetPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension DenyNullifyA: OwningPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension DenyNullifyB: FreePiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension DenyNullifyC: NeedyPiece {
  convenience init(_ tag: Int, _ name: String, _ owner: DenyNullifyA) {
    self.init(tag: tag, name: name, one: owner)
  }
}
extension DenyNullifyD: NeedyMember {
  convenience init(_ tag: Int, _ name: String, _ owner: DenyNullifyA) {
    self.init(tag: tag, name: name, owner: owner)
  }
}
extension DenyNullifyE: NeedyPartner {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension DenyCascadeA: OwningPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension DenyCascadeB: FreePiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension DenyCascadeC: NeedyPiece {
  convenience init(_ tag: Int, _ name: String, _ owner: DenyCascadeA) {
    self.init(tag: tag, name: name, one: owner)
  }
}
extension DenyCascadeD: NeedyMember {
  convenience init(_ tag: Int, _ name: String, _ owner: DenyCascadeA) {
    self.init(tag: tag, name: name, owner: owner)
  }
}
extension DenyCascadeE: NeedyPartner {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension DenyDenyA: OwningPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension DenyDenyB: FreePiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension DenyDenyC: NeedyPiece {
  convenience init(_ tag: Int, _ name: String, _ owner: DenyDenyA) {
    self.init(tag: tag, name: name, one: owner)
  }
}
extension DenyDenyD: NeedyMember {
  convenience init(_ tag: Int, _ name: String, _ owner: DenyDenyA) {
    self.init(tag: tag, name: name, owner: owner)
  }
}
extension DenyDenyE: NeedyPartner {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension DenyNoActionA: OwningPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension DenyNoActionB: FreePiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension DenyNoActionC: NeedyPiece {
  convenience init(_ tag: Int, _ name: String, _ owner: DenyNoActionA) {
    self.init(tag: tag, name: name, one: owner)
  }
}
extension DenyNoActionD: NeedyMember {
  convenience init(_ tag: Int, _ name: String, _ owner: DenyNoActionA) {
    self.init(tag: tag, name: name, owner: owner)
  }
}
extension DenyNoActionE: NeedyPartner {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension DenyLoner: LonerPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension DenyFollower: FollowingPiece {
  convenience init(_ tag: Int, _ name: String, _ target: DenyTarget) {
    self.init(tag: tag, name: name, target: target)
  }
}
extension DenyTarget: TargetPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension NoActionNullifyA: OwningPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NoActionNullifyB: FreePiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NoActionNullifyC: NeedyPiece {
  convenience init(_ tag: Int, _ name: String, _ owner: NoActionNullifyA) {
    self.init(tag: tag, name: name, one: owner)
  }
}
extension NoActionNullifyD: NeedyMember {
  convenience init(_ tag: Int, _ name: String, _ owner: NoActionNullifyA) {
    self.init(tag: tag, name: name, owner: owner)
  }
}
extension NoActionNullifyE: NeedyPartner {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension NoActionCascadeA: OwningPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NoActionCascadeB: FreePiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NoActionCascadeC: NeedyPiece {
  convenience init(_ tag: Int, _ name: String, _ owner: NoActionCascadeA) {
    self.init(tag: tag, name: name, one: owner)
  }
}
extension NoActionCascadeD: NeedyMember {
  convenience init(_ tag: Int, _ name: String, _ owner: NoActionCascadeA) {
    self.init(tag: tag, name: name, owner: owner)
  }
}
extension NoActionCascadeE: NeedyPartner {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension NoActionDenyA: OwningPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NoActionDenyB: FreePiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NoActionDenyC: NeedyPiece {
  convenience init(_ tag: Int, _ name: String, _ owner: NoActionDenyA) {
    self.init(tag: tag, name: name, one: owner)
  }
}
extension NoActionDenyD: NeedyMember {
  convenience init(_ tag: Int, _ name: String, _ owner: NoActionDenyA) {
    self.init(tag: tag, name: name, owner: owner)
  }
}
extension NoActionDenyE: NeedyPartner {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension NoActionNoActionA: OwningPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NoActionNoActionB: FreePiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NoActionNoActionC: NeedyPiece {
  convenience init(_ tag: Int, _ name: String, _ owner: NoActionNoActionA) {
    self.init(tag: tag, name: name, one: owner)
  }
}
extension NoActionNoActionD: NeedyMember {
  convenience init(_ tag: Int, _ name: String, _ owner: NoActionNoActionA) {
    self.init(tag: tag, name: name, owner: owner)
  }
}
extension NoActionNoActionE: NeedyPartner {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension NoActionLoner: LonerPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}
extension NoActionFollower: FollowingPiece {
  convenience init(_ tag: Int, _ name: String, _ target: NoActionTarget) {
    self.init(tag: tag, name: name, target: target)
  }
}
extension NoActionTarget: TargetPiece {
  convenience init(_ tag: Int, _ name: String) { self.init(tag: tag, name: name) }
}

extension MatrixFamilies {
  static let all: [any MatrixFamily] = [
    PairFamily<NullifyNullifyA>("nullify", "nullify"),
    PairFamily<NullifyCascadeA>("nullify", "cascade"),
    PairFamily<NullifyDenyA>("nullify", "deny"),
    PairFamily<NullifyNoActionA>("nullify", "noAction"),
    LonerFamily<NullifyFollower, NullifyLoner>("nullify"),
    PairFamily<CascadeNullifyA>("cascade", "nullify"),
    PairFamily<CascadeCascadeA>("cascade", "cascade"),
    PairFamily<CascadeDenyA>("cascade", "deny"),
    PairFamily<CascadeNoActionA>("cascade", "noAction"),
    LonerFamily<CascadeFollower, CascadeLoner>("cascade"),
    PairFamily<DenyNullifyA>("deny", "nullify"),
    PairFamily<DenyCascadeA>("deny", "cascade"),
    PairFamily<DenyDenyA>("deny", "deny"),
    PairFamily<DenyNoActionA>("deny", "noAction"),
    LonerFamily<DenyFollower, DenyLoner>("deny"),
    PairFamily<NoActionNullifyA>("noAction", "nullify"),
    PairFamily<NoActionCascadeA>("noAction", "cascade"),
    PairFamily<NoActionDenyA>("noAction", "deny"),
    PairFamily<NoActionNoActionA>("noAction", "noAction"),
    LonerFamily<NoActionFollower, NoActionLoner>("noAction"),
  ]
}
