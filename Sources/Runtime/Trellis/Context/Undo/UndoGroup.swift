#if !canImport(ObjectiveC)
  public import Foundation

  /// What one ``UndoManager/undo()`` takes back.
  struct UndoGroup {
    var name = ""
    var actions: [UndoAction] = []

    init(name: String = "") { self.name = name }
    init(_ action: UndoAction) { actions = [action] }

    /// A group inside this one has ended.
    mutating func add(_ inner: UndoGroup) {
      actions += inner.actions
      if !inner.name.isEmpty { name = inner.name }
    }

    func without(_ target: ObjectIdentifier) -> UndoGroup {
      var group = self
      group.actions.removeAll { $0.identity == target }
      return group
    }
  }

  /// One registered action.
  struct UndoAction {
    /// Who the target is, also while it is going away.
    let identity: ObjectIdentifier
    private weak var target: AnyObject?
    private let handler: (AnyObject) -> Void

    init(_ target: AnyObject, handler: @escaping (AnyObject) -> Void) {
      self.identity = ObjectIdentifier(target)
      self.target = target
      self.handler = handler
    }

    func run() {
      if let target { handler(target) }
    }
  }

  extension Notification.Name {
    /// Posted before an ``UndoManager`` undoes, redoes, answers whether it can, and before groups begin
    /// and end inside others: register what is pending.
    public static let NSUndoManagerCheckpoint = Notification.Name(
      "NSUndoManagerCheckpointNotification")
    /// Posted after a group has begun.
    public static let NSUndoManagerDidOpenUndoGroup = Notification.Name(
      "NSUndoManagerDidOpenUndoGroupNotification")
    /// Posted before a group ends.
    public static let NSUndoManagerWillCloseUndoGroup = Notification.Name(
      "NSUndoManagerWillCloseUndoGroupNotification")
    /// Posted after a group has ended.
    public static let NSUndoManagerDidCloseUndoGroup = Notification.Name(
      "NSUndoManagerDidCloseUndoGroupNotification")
    /// Posted before a group is taken back.
    public static let NSUndoManagerWillUndoChange = Notification.Name(
      "NSUndoManagerWillUndoChangeNotification")
    /// Posted after a group was taken back.
    public static let NSUndoManagerDidUndoChange = Notification.Name(
      "NSUndoManagerDidUndoChangeNotification")
    /// Posted before a group is made again.
    public static let NSUndoManagerWillRedoChange = Notification.Name(
      "NSUndoManagerWillRedoChangeNotification")
    /// Posted after a group was made again.
    public static let NSUndoManagerDidRedoChange = Notification.Name(
      "NSUndoManagerDidRedoChangeNotification")
  }
#endif
