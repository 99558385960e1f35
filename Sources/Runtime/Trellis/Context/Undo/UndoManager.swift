#if !canImport(ObjectiveC)
  import Foundation

  /// Remembers how to take changes back, and how to make them again.
  ///
  /// Foundation has this class on Apple's platforms only; this one takes its place elsewhere, with the
  /// same names. What is registered outside of a group is a separate group: there is no run loop
  /// here whose turns could make the groups, so ``groupsByEvent`` changes nothing. Nothing traps: what
  /// makes no sense (ending a group that was not begun, undoing while undoing) does nothing.
  ///
  ///     manager.registerUndo(withTarget: document) { $0.title = old }
  ///     manager.setActionName("Rename")
  ///     manager.undo()
  ///
  /// A manager belongs to one isolation, as the context it is given to.
  open class UndoManager {
    private var undoStack: [UndoGroup] = []
    private var redoStack: [UndoGroup] = []
    private var openGroups: [UndoGroup] = []
    private var disabled = 0

    /// Makes a manager that remembers nothing yet.
    public init() {}

    // MARK: groups

    /// How many groups are open.
    open var groupingLevel: Int { openGroups.count }

    /// Of no meaning here: see the class. True, as in Foundation.
    open var groupsByEvent = true

    /// How many groups are kept, the oldest go first; 0 keeps all.
    open var levelsOfUndo = 0 {
      didSet { trim() }
    }

    /// Begins a group: what is registered until its end is undone at once.
    open func beginUndoGrouping() {
      if !openGroups.isEmpty { post(.NSUndoManagerCheckpoint) }
      openGroups.append(UndoGroup())
      post(.NSUndoManagerDidOpenUndoGroup)
    }

    /// Ends the innermost group. A group in which nothing was registered leaves no trace.
    open func endUndoGrouping() {
      guard !openGroups.isEmpty else { return }
      post(.NSUndoManagerCheckpoint)
      post(.NSUndoManagerWillCloseUndoGroup)
      guard let group = openGroups.popLast() else { return }
      close(group)
      post(.NSUndoManagerDidCloseUndoGroup)
    }

    private func close(_ group: UndoGroup) {
      if !openGroups.isEmpty {
        openGroups[openGroups.count - 1].add(group)
      } else if group.actions.isEmpty {
        return
      } else if isUndoing {
        redoStack.append(group)
      } else {
        undoStack.append(group)
        trim()
      }
    }

    private func trim() {
      guard levelsOfUndo > 0 else { return }
      undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
      redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
    }

    // MARK: registering

    /// Whether what is registered is remembered. See ``disableUndoRegistration()``.
    open var isUndoRegistrationEnabled: Bool { disabled == 0 }

    /// Forgets what is registered from here on, until ``enableUndoRegistration()``. Calls nest.
    open func disableUndoRegistration() { disabled += 1 }

    /// Ends one ``disableUndoRegistration()``.
    open func enableUndoRegistration() { disabled = max(0, disabled - 1) }

    /// Remembers how to take back what is being done.
    ///
    /// Registered while undoing, the action is for redoing. Any other registration ends what could be
    /// redone.
    ///
    /// - Parameters:
    ///   - target: what the handler is called with; not retained. An action whose target is gone does
    ///     nothing.
    ///   - handler: takes the change back.
    open func registerUndo<Target: AnyObject>(
      withTarget target: Target, handler: @escaping (Target) -> Void
    ) {
      guard isUndoRegistrationEnabled else { return }
      if !isUndoing && !isRedoing { redoStack = [] }
      let action = UndoAction(target) { target in
        if let target = target as? Target { handler(target) }
      }
      if openGroups.isEmpty {
        close(UndoGroup(action))
      } else {
        openGroups[openGroups.count - 1].actions.append(action)
      }
    }

    /// Forgets everything, open groups included.
    open func removeAllActions() {
      undoStack = []
      redoStack = []
      for index in openGroups.indices { openGroups[index].actions = [] }
    }

    /// Forgets the actions of one target.
    open func removeAllActions(withTarget target: Any) {
      let identity = ObjectIdentifier(target as AnyObject)
      func clean(_ groups: [UndoGroup]) -> [UndoGroup] {
        groups.map { $0.without(identity) }.filter { !$0.actions.isEmpty }
      }
      undoStack = clean(undoStack)
      redoStack = clean(redoStack)
      for index in openGroups.indices { openGroups[index] = openGroups[index].without(identity) }
    }

    // MARK: undoing

    /// Whether an action is being taken back right now.
    open private(set) var isUndoing = false

    /// Whether an action is being made again right now.
    open private(set) var isRedoing = false

    /// Whether there is something to take back. Posts `NSUndoManagerCheckpoint` first, so that a
    /// context registers what is pending; Foundation does that in ``canRedo`` only.
    open var canUndo: Bool {
      post(.NSUndoManagerCheckpoint)
      return !undoStack.isEmpty || openGroups.contains { !$0.actions.isEmpty }
    }

    /// Whether there is something to make again. Posts `NSUndoManagerCheckpoint` first.
    open var canRedo: Bool {
      post(.NSUndoManagerCheckpoint)
      return !redoStack.isEmpty
    }

    /// Ends every open group and takes the last group back, its last action first.
    open func undo() {
      guard !isUndoing && !isRedoing else { return }
      post(.NSUndoManagerCheckpoint)
      while !openGroups.isEmpty { endUndoGrouping() }
      undoNestedGroup()
    }

    /// Takes the last group back that has ended; does nothing while a group is open.
    open func undoNestedGroup() {
      guard openGroups.isEmpty, !isUndoing && !isRedoing, let group = undoStack.popLast() else { return }
      post(.NSUndoManagerWillUndoChange)
      isUndoing = true
      run(group)
      isUndoing = false
      post(.NSUndoManagerDidUndoChange)
    }

    /// Makes the group again that was taken back last.
    open func redo() {
      guard openGroups.isEmpty, !isUndoing && !isRedoing else { return }
      post(.NSUndoManagerCheckpoint)
      guard let group = redoStack.popLast() else { return }
      post(.NSUndoManagerWillRedoChange)
      isRedoing = true
      run(group)
      isRedoing = false
      post(.NSUndoManagerDidRedoChange)
    }

    /// Runs a group; what it registers is the opposite group, under the same name.
    private func run(_ group: UndoGroup) {
      openGroups.append(UndoGroup(name: group.name))
      for action in group.actions.reversed() { action.run() }
      while let opposite = openGroups.popLast() { close(opposite) }
    }

    // MARK: names

    /// Names the group that is open or, where none is, the one registered last.
    open func setActionName(_ actionName: String) {
      if !openGroups.isEmpty {
        openGroups[0].name = actionName
      } else if !undoStack.isEmpty {
        undoStack[undoStack.count - 1].name = actionName
      }
    }

    /// The name of what ``undo()`` would take back; empty when it has none.
    open var undoActionName: String { openGroups.first?.name ?? undoStack.last?.name ?? "" }

    /// The name of what ``redo()`` would make again; empty when it has none.
    open var redoActionName: String { redoStack.last?.name ?? "" }

    /// "Undo" and the name of the action.
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

    /// "Redo" and the name of the action.
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// The title of the menu item for an action. Override to translate it.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
      actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// The title of the menu item for an action. Override to translate it.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
      actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    private func post(_ name: Notification.Name) {
      NotificationCenter.default.post(name: name, object: self)
    }
  }
#endif
