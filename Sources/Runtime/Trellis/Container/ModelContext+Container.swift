extension ModelContext {
  /// Makes an empty context of the container, which it keeps.
  public convenience init(_ container: ModelContainer) {
    self.init(container.core, ContextOwner(retained: container), isMain: false)
  }

  /// The main context of a container.
  convenience init(main container: ModelContainer) {
    self.init(container.core, ContextOwner(unretained: container), isMain: true)
  }

  /// The container whose stores the context reads and writes.
  ///
  /// Where a program has kept only the main context, this is a new container over the same open stores.
  public var container: ModelContainer {
    if let main = owner.retained as? ModelContext { return main.container }
    if let known = (owner.retained ?? owner.container) as? ModelContainer { return known }
    let container = ModelContainer(core, main: self)
    owner.container = container
    return container
  }
}
