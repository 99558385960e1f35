#if !canImport(ObjectiveC)
  public import Foundation

  /// Registers actions that revert changes, and runs them to undo and redo.
  ///
  /// A context with a manager registers its changes as steps; see ``ModelContext/undoManager``.
  ///
  /// ```swift
  /// let manager = UndoManager()
  /// context.undoManager = manager
  /// trip.name = "Glaciers"
  /// context.processPendingChanges()
  /// manager.setActionName("Rename Trip")
  /// print(manager.undoMenuItemTitle)  // Undo Rename Trip
  /// manager.undo()                    // the trip has the former name
  /// ```
  ///
  /// Foundation provides this class on Apple's platforms only. This class replaces it elsewhere, with the same names.
  /// Each action that is registered outside a group forms a separate group, because groups cannot follow run loop
  /// cycles. Therefore ``groupsByEvent`` has no effect. Invalid calls also have no effect: ending a group that was not
  /// begun, or undoing while undoing.
  ///
  /// Use a manager in the context's isolation.
  open class UndoManager {
    /// The actions that a single ``UndoManager/undo()`` runs.
    private struct Group {
      var name = ""
      var actions: [(target: ObjectIdentifier, run: () -> Void)] = []
    }

    private var undoStack: [Group] = []
    private var redoStack: [Group] = []
    private var openGroups: [Group] = []
    private var disabled = 0

    /// Creates an empty manager.
    public init() {}

    // MARK: groups

    /// The number of open groups.
    open var groupingLevel: Int { openGroups.count }

    /// True, as in Foundation. Has no effect, see ``UndoManager``.
    open var groupsByEvent = true

    /// The maximum number of groups that can be undone, and of groups that can be redone. The oldest groups are dropped
    /// first. Default: 0, which keeps all groups.
    open var levelsOfUndo = 0 { didSet { trim() } }

    /// Begins a group, whose actions are undone together.
    ///
    /// ```swift
    /// let manager = UndoManager()
    /// context.undoManager = manager
    /// manager.beginUndoGrouping()
    /// trip.kind = .business
    /// try context.save()         // registers the change
    /// trip.budget = 2_000
    /// manager.endUndoGrouping()  // registers the second change
    /// manager.undo()             // reverts both
    /// ```
    ///
    /// Groups nest: an inner group becomes part of the enclosing group. Earlier changes in a context become part of the
    /// outermost group, unless a save or ``ModelContext/processPendingChanges()`` has registered them.
    open func beginUndoGrouping() {
      if !openGroups.isEmpty { post(.NSUndoManagerCheckpoint) }
      openGroups.append(Group())
      post(.NSUndoManagerDidOpenUndoGroup)
    }

    /// Ends the innermost group. A context registers pending changes in the group first. An empty group is dropped.
    open func endUndoGrouping() {
      guard !openGroups.isEmpty else { return }
      post(.NSUndoManagerCheckpoint)
      post(.NSUndoManagerWillCloseUndoGroup)
      guard let group = openGroups.popLast() else { return }
      close(group)
      post(.NSUndoManagerDidCloseUndoGroup)
    }

    /// Adds a group to the enclosing group, or to a stack if there is none.
    private func close(_ group: Group) {
      if let last = openGroups.indices.last {
        openGroups[last].actions += group.actions
        if !group.name.isEmpty { openGroups[last].name = group.name }
      } else if !group.actions.isEmpty {
        if isUndoing { redoStack.append(group) } else { undoStack.append(group) }
        trim()
      }
    }

    private func trim() {
      guard levelsOfUndo > 0 else { return }
      undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
      redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
    }

    // MARK: registering

    /// True if the manager accepts actions. See ``disableUndoRegistration()``.
    open var isUndoRegistrationEnabled: Bool { disabled == 0 }

    /// Ignores registered actions until ``enableUndoRegistration()``. Calls nest.
    open func disableUndoRegistration() { disabled += 1 }

    /// Reverts a call to ``disableUndoRegistration()``. Additional calls have no effect.
    open func enableUndoRegistration() { disabled = max(0, disabled - 1) }

    /// Registers an action that reverts a change.
    ///
    /// Contexts register changes to stored properties. Register actions for changes to other values, such as transient
    /// properties:
    ///
    /// ```swift
    /// let manager = UndoManager()
    /// func setForecast(_ forecast: Forecast?, of trip: Trip) {
    ///   let previous = trip.forecast
    ///   trip.forecast = forecast
    ///   manager.registerUndo(withTarget: trip) { setForecast(previous, of: $0) }
    /// }
    /// setForecast(Forecast(summary: "Snow", highest: -2, lowest: -11), of: trip)
    /// manager.undo()  // the trip has the previous forecast
    /// manager.redo()
    /// ```
    ///
    /// An action registered while undoing is a redo action, and an action registered while redoing is an undo action.
    /// All other registrations clear the redo actions. An action registered outside a group forms a separate group.
    ///
    /// - Parameters:
    ///   - target: The handler's argument; not retained. If it has been released, the action has no effect.
    ///   - handler: Reverts the change, and registers an action that makes it again.
    open func registerUndo<Target: AnyObject>(
      withTarget target: Target, handler: @escaping (Target) -> Void
    ) {
      guard isUndoRegistrationEnabled else { return }
      if !isUndoing && !isRedoing { redoStack = [] }
      let run = { [weak target] in if let target { handler(target) } }
      close(Group(actions: [(ObjectIdentifier(target), run)]))
    }

    /// Removes all undo and redo actions, also from open groups.
    open func removeAllActions() { keepActions { _ in false } }

    /// Removes a target's undo and redo actions, also from open groups.
    open func removeAllActions(withTarget target: Any) {
      let identity = ObjectIdentifier(target as AnyObject)
      keepActions { $0 != identity }
    }

    private func keepActions(where isKept: (ObjectIdentifier) -> Bool) {
      func clean(_ groups: [Group]) -> [Group] {
        groups.map { Group(name: $0.name, actions: $0.actions.filter { isKept($0.target) }) }
      }
      undoStack = clean(undoStack).filter { !$0.actions.isEmpty }
      redoStack = clean(redoStack).filter { !$0.actions.isEmpty }
      openGroups = clean(openGroups)
    }

    // MARK: undoing

    /// True while an action is being undone.
    open private(set) var isUndoing = false

    /// True while an action is being redone.
    open private(set) var isRedoing = false

    /// True if there is an action to undo. Posts `NSUndoManagerCheckpoint` first, so that a context registers pending
    /// changes; Foundation does that in ``canRedo`` only.
    open var canUndo: Bool {
      post(.NSUndoManagerCheckpoint)
      return !undoStack.isEmpty || openGroups.contains { !$0.actions.isEmpty }
    }

    /// True if there is an action to redo. Posts `NSUndoManagerCheckpoint` first.
    open var canRedo: Bool {
      post(.NSUndoManagerCheckpoint)
      return !redoStack.isEmpty
    }

    /// Ends all open groups and undoes the last group, beginning with the last action. Has no effect if there is
    /// nothing to undo.
    open func undo() {
      guard !isUndoing && !isRedoing else { return }
      post(.NSUndoManagerCheckpoint)
      while !openGroups.isEmpty { endUndoGrouping() }
      undoNestedGroup()
    }

    /// Undoes the last closed group. Has no effect while a group is open.
    open func undoNestedGroup() {
      guard openGroups.isEmpty, !isUndoing && !isRedoing, let group = undoStack.popLast() else { return }
      run(group, \.isUndoing, .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange)
    }

    /// Redoes the group that was undone last. Has no effect while a group is open.
    open func redo() {
      guard openGroups.isEmpty, !isUndoing && !isRedoing else { return }
      post(.NSUndoManagerCheckpoint)
      guard let group = redoStack.popLast() else { return }
      run(group, \.isRedoing, .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange)
    }

    /// Runs a group. The actions that it registers form the opposite group, with the same name.
    private func run(
      _ group: Group, _ flag: ReferenceWritableKeyPath<UndoManager, Bool>, _ before: Notification.Name,
      _ after: Notification.Name
    ) {
      post(before)
      self[keyPath: flag] = true
      openGroups.append(Group(name: group.name))
      for action in group.actions.reversed() { action.run() }
      while let opposite = openGroups.popLast() { close(opposite) }
      self[keyPath: flag] = false
      post(after)
    }

    // MARK: names

    /// Names the outermost open group, otherwise the last registered group, for ``undoMenuItemTitle``.
    open func setActionName(_ actionName: String) {
      if !openGroups.isEmpty {
        openGroups[0].name = actionName
      } else if let last = undoStack.indices.last {
        undoStack[last].name = actionName
      }
    }

    /// The action name for ``undo()``; empty by default.
    open var undoActionName: String { openGroups.first?.name ?? undoStack.last?.name ?? "" }

    /// The action name for ``redo()``; empty by default.
    open var redoActionName: String { redoStack.last?.name ?? "" }

    /// The menu item title for ``undo()``, for example `Undo Rename Trip`.
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

    /// The menu item title for ``redo()``, for example `Redo Rename Trip`.
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// Returns "Undo" and an action name. Override this function to translate the title.
    ///
    /// - Parameter actionName: The action name; empty for an unnamed action.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
      actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// Returns "Redo" and an action name. Override this function to translate the title.
    ///
    /// - Parameter actionName: The action name; empty for an unnamed action.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
      actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    private func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }
  }

  extension Notification.Name {
    /// Posted before an ``UndoManager`` undoes, redoes, evaluates `canUndo` or `canRedo`, begins a nested group or ends
    /// any group. Contexts then register pending changes.
    public static let NSUndoManagerCheckpoint = Self("NSUndoManagerCheckpointNotification")
    /// Posted after a group was begun.
    public static let NSUndoManagerDidOpenUndoGroup = Self("NSUndoManagerDidOpenUndoGroupNotification")
    /// Posted before a group ends.
    public static let NSUndoManagerWillCloseUndoGroup = Self("NSUndoManagerWillCloseUndoGroupNotification")
    /// Posted after a group was ended.
    public static let NSUndoManagerDidCloseUndoGroup = Self("NSUndoManagerDidCloseUndoGroupNotification")
    /// Posted before a group is undone.
    public static let NSUndoManagerWillUndoChange = Self("NSUndoManagerWillUndoChangeNotification")
    /// Posted after a group was undone.
    public static let NSUndoManagerDidUndoChange = Self("NSUndoManagerDidUndoChangeNotification")
    /// Posted before a group is redone.
    public static let NSUndoManagerWillRedoChange = Self("NSUndoManagerWillRedoChangeNotification")
    /// Posted after a group was redone.
    public static let NSUndoManagerDidRedoChange = Self("NSUndoManagerDidRedoChangeNotification")
  }
#endif
