extension ResultsObserver: ContextWatcher {
  /// Looks at what has happened since the last time, and fetches again if the answer may be another.
  ///
  /// The observer calls this on its own isolation. Call it where there is none, or to see the effect
  /// of a change before the running job of the actor is over.
  public func update() {
    guard !isUpdating else { return }
    isUpdating = true
    defer {
      isUpdating = false
      // Observers have changed something: that is for the next turn.
      if isStale { wake() }
    }
    do {
      try modelContext.readMailbox()
      // What failed is tried again whenever there is a reason to look.
      if isStale || error != nil {
        isStale = false
        take(try fetched())
      }
      tell()
    } catch {
      isStale = false
      fail(with: error)
    }
  }

  func contextWillChange(_ model: any PersistentModel, _ change: ClassChange) {
    guard descriptor.includePendingChanges else { return }
    if !isStale, dependencies.areTouched(by: change) {
      isStale = true
      wake()
    }
    guard hasListeners, model is Element, touched.insert(ObjectIdentifier(model)).inserted else {
      return
    }
    wake()
  }

  func contextHasSeen(_ commit: Commit, isOwn: Bool) {
    if !isStale, dependencies.areTouched(by: commit) {
      isStale = true
      wake()
    }
    // What the context itself has changed was told when it changed.
    guard hasListeners, !isOwn || !descriptor.includePendingChanges else { return }
    let before = touched.count
    for identifier in commit.updated {
      guard let model = modelContext.registered(identifier, Element._$definition) as? Element else {
        continue
      }
      touched.insert(ObjectIdentifier(model))
    }
    if touched.count > before { wake() }
  }

  private func wake() {
    if !isUpdating { waker?.wake() }
  }

  private func take(_ next: ResultsState<Element, SectionTitle>) {
    fail(with: nil)
    guard !next.isEqual(to: state) else { return }
    registrar.willSet(self, keyPath: \.results)
    if sectioning != nil { registrar.willSet(self, keyPath: \.sections) }
    state = next
    hasNews = true
    if sectioning != nil { registrar.didSet(self, keyPath: \.sections) }
    registrar.didSet(self, keyPath: \.results)
  }

  private func fail(with error: (any Error)?) {
    guard error != nil || self.error != nil else { return }
    registrar.withMutation(of: self, keyPath: \.fetchError) { self.error = error }
  }

  // MARK: listeners

  var hasListeners: Bool { !listeners.isEmpty }

  /// Whether every iteration over ``changes`` waits, and nothing runs until something happens.
  package var isAwaited: Bool {
    hasListeners && listeners.allSatisfy { $0.listener?.signal.isAwaited ?? true }
  }

  func add(_ listener: ResultsListener<Element, SectionTitle>) {
    listeners.append(WeakListener(listener: listener))
    waker?.add(listener.signal)
  }

  func remove(_ listener: ResultsListener<Element, SectionTitle>) {
    waker?.remove(listener.signal)
    listeners.removeAll { $0.listener == nil || $0.listener === listener }
    if listeners.isEmpty { touched = [] }
  }

  /// Hands the touched elements to every listener and wakes those who wait, if there is anything to tell: one
  /// who was woken looks here first, and would wake itself for ever.
  private func tell() {
    guard hasListeners, hasNews || !touched.isEmpty else { return }
    hasNews = false
    for entry in listeners { entry.listener?.touched.formUnion(touched) }
    touched = []
    waker?.fire()
  }
}
