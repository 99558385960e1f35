extension PersistentModel {
  /// The model's in-memory storage.
  ///
  /// The storage is a view: reads and writes access the model. Assigning different storage copies the values and
  /// to-one references as unsaved changes. The model's identity and context do not change.
  public var persistentBackingData: any BackingData<Self> {
    get {
      ownerContext?.complete(self)
      return SnapshotBackingData(model: self)
    }
    set {
      let row = SnapshotBuffer.row(of: newValue).copy(0)
      row.setIdentifier(0, _$identifier)
      guard prepareChange(\Self.persistentBackingData) else { return }
      let all = PropertySet(type(of: self)._$definition.layout.columns.indices)
      _$state.side?.changed.formUnion((try? row.differing(0, from: capturedRow(), 0)) ?? all)
      PropertyNotification.replacing(self, with: row, 0) { row.restore(0, self) }
      ownerContext?.pending.index = nil
    }
  }

  /// Creates storage with zero values that does not belong to a model yet.
  ///
  /// ```swift
  /// func makeStorage() -> some BackingData<BucketListItem> { BucketListItem.createBackingData() }
  /// var storage = makeStorage()
  /// storage.setValue(forKey: \.title, to: "Museum")
  /// let item = BucketListItem(backingData: storage)
  /// ```
  public static func createBackingData<P>() -> some BackingData<P> where P: PersistentModel {
    SnapshotBackingData(for: P.self)
  }

  private func property(_ keyPath: PartialKeyPath<Self>) -> ModelProperty? {
    type(of: self)._$definition.layout.property(for: keyPath)
  }
}

// Access by key path, for handwritten accessors.

extension PersistentModel {
  /// Returns an attribute's value.
  ///
  /// This function and the related functions exist for code written for SwiftData and for handwritten accessors. In all
  /// other code, use the property.
  ///
  /// ```swift
  /// let name = trip.getValue(forKey: \.name)  // trip.name
  /// ```
  ///
  /// - Parameter forKey: The attribute.
  public func getValue<Value: Decodable>(forKey: KeyPath<Self, Value>) -> Value {
    attribute(forKey)
  }

  /// Returns a required to-one relationship's destination.
  ///
  /// ```swift
  /// let membership = ClubMembership(name: "Ada", club: club)
  /// let joined = membership.getValue(forKey: \.club)  // membership.club
  /// ```
  ///
  /// - Parameter forKey: The relationship.
  public func getValue<Value: PersistentModel>(forKey: KeyPath<Self, Value>) -> Value {
    guard let slot = property(forKey)?.slot else { return self[keyPath: forKey] }
    return _$requiredToOne(slot, forKey)
  }

  /// Returns a to-one relationship's destination.
  ///
  /// ```swift
  /// let hostel = trip.getValue(forKey: \.livingAccommodation)  // trip.livingAccommodation
  /// ```
  ///
  /// - Parameter forKey: The relationship.
  public func getValue<Value: PersistentModel>(forKey: KeyPath<Self, Value?>) -> Value? {
    guard let slot = property(forKey)?.slot else { return self[keyPath: forKey] }
    return _$toOne(slot, forKey)
  }

  /// Returns a to-many relationship's members.
  ///
  /// ```swift
  /// let items = trip.getValue(forKey: \.bucketList)  // trip.bucketList
  /// ```
  ///
  /// - Parameter forKey: The relationship.
  public func getValue<Value, OtherModel>(forKey: KeyPath<Self, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    members(forKey)
  }

  /// Returns a to-many relationship's members, for a `Decodable` member model.
  ///
  /// Without this overload, such calls would be ambiguous, because the overload for attributes also matches.
  ///
  /// - Parameter forKey: The relationship.
  public func getValue<Value, OtherModel>(forKey: KeyPath<Self, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    members(forKey)
  }

  /// Sets an attribute, like the property's setter.
  ///
  /// ```swift
  /// trip.setValue(forKey: \.name, to: "Glaciers")  // trip.name = "Glaciers"
  /// ```
  ///
  /// - Parameters:
  ///   - forKey: The attribute.
  ///   - newValue: The new value.
  public func setValue<Value: Encodable>(forKey: KeyPath<Self, Value>, to newValue: Value) {
    setAttribute(forKey, to: newValue)
  }

  /// Sets a required to-one relationship and updates the inverse.
  ///
  /// ```swift
  /// let membership = ClubMembership(name: "Ada", club: TravelClub(name: "North"))
  /// membership.setValue(forKey: \.club, to: club)  // the club's members contain the membership
  /// ```
  ///
  /// - Parameters:
  ///   - forKey: The relationship.
  ///   - newValue: The new destination.
  public func setValue<Value: PersistentModel>(forKey: KeyPath<Self, Value>, to newValue: Value) {
    guard let slot = property(forKey)?.slot else { return }
    _$setRequiredToOne(slot, forKey, newValue)
  }

  /// Sets a to-one relationship and updates the inverse.
  ///
  /// ```swift
  /// let hostel = LivingAccommodation(
  ///   placeName: "Harbor Hostel", address: Address(street: "Strandgaten 1", city: "Bergen"))
  /// trip.setValue(forKey: \.livingAccommodation, to: hostel)  // hostel.trip is the trip
  /// ```
  ///
  /// - Parameters:
  ///   - forKey: The relationship.
  ///   - newValue: The new destination; `nil` for none.
  public func setValue<Value: PersistentModel>(
    forKey: KeyPath<Self, Value?>, to newValue: Value?
  ) {
    guard let slot = property(forKey)?.slot else { return }
    _$setToOne(slot, forKey, newValue)
  }

  /// Sets a to-many relationship and updates the inverse.
  ///
  /// ```swift
  /// trip.setValue(forKey: \.bucketList, to: [BucketListItem(title: "Ride the funicular")])
  /// ```
  ///
  /// - Parameters:
  ///   - forKey: The relationship.
  ///   - newValue: The new members.
  public func setValue<Value, OtherModel>(forKey: KeyPath<Self, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    setMembers(forKey, to: newValue)
  }

  /// Sets a to-many relationship and updates the inverse, for an `Encodable` member model.
  ///
  /// - Parameters:
  ///   - forKey: The relationship.
  ///   - newValue: The new members.
  public func setValue<Value, OtherModel>(forKey: KeyPath<Self, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    setMembers(forKey, to: newValue)
  }

  /// Returns a transformable attribute's value.
  ///
  /// ```swift
  /// let color: ClubColor? = club.getTransformableValue(forKey: \.color)  // club.color
  /// ```
  ///
  /// - Parameter forKey: The attribute.
  public func getTransformableValue<Value>(forKey: KeyPath<Self, Value>) -> Value {
    attribute(forKey)
  }

  /// Sets a transformable attribute.
  ///
  /// ```swift
  /// club.setTransformableValue(forKey: \.color, to: ClubColor(hue: 200))
  /// ```
  ///
  /// - Parameters:
  ///   - forKey: The attribute.
  ///   - newValue: The new value.
  public func setTransformableValue<Value>(forKey: KeyPath<Self, Value>, to newValue: Value) {
    setAttribute(forKey, to: newValue)
  }
}

extension PersistentModel {
  /// Reads the storage directly, because the caller may be the property's accessor.
  private func attribute<Value>(_ keyPath: KeyPath<Self, Value>) -> Value {
    guard let slot = property(keyPath)?.slot, slot >= 0 else { return self[keyPath: keyPath] }
    if _$state.isTracking { _$track(slot) }
    let value = capturedRow().value(0, column: slot)
    if let value = value as? Value { return value }
    return NilLiteral.value(Value.self) ?? self[keyPath: keyPath]
  }

  private func setAttribute<Value>(_ keyPath: KeyPath<Self, Value>, to newValue: Value) {
    guard let property = property(keyPath), property.slot >= 0 else {
      guard let writable = keyPath as? ReferenceWritableKeyPath<Self, Value> else { return }
      self[keyPath: writable] = newValue
      return
    }
    guard let row = try? capturedRow().replacing(0, column: property.slot, with: newValue),
      _$willSet(property.slot)
    else { return }
    row.restore(0, self)
    _$didSet(property.slot)
  }

  private func members<Value: RelationshipCollection>(_ keyPath: KeyPath<Self, Value>) -> Value {
    guard let slot = property(keyPath)?.slot else { return self[keyPath: keyPath] }
    if _$state.isTracking { _$track(keyPath) }
    let members: [Value.PersistentElement] = inspected(.relationship) { self.members(slot) }
    return members as? Value ?? self[keyPath: keyPath]
  }

  private func setMembers<Value: RelationshipCollection>(
    _ keyPath: KeyPath<Self, Value>, to newValue: Value
  ) {
    guard let slot = property(keyPath)?.slot else { return }
    let members = newValue as? [Value.PersistentElement] ?? []
    if let path = keyPath as? KeyPath<Self, [Value.PersistentElement]> {
      _$setToMany(slot, path, members)
    } else if let path = keyPath as? KeyPath<Self, [Value.PersistentElement]?> {
      _$setOptionalToMany(slot, path, members)
    }
  }
}
