import Foundation
import Testing
import Trellis

@testable import TestWorlds

@Suite struct UndoManagerTests {
  /// A number with undo registration of its changes.
  private final class Counter {
    var value = 0
    let manager = UndoManager()

    func set(_ new: Int) {
      let old = value
      value = new
      manager.registerUndo(withTarget: self) { $0.set(old) }
    }
  }

  @Test func registeredActionsAreUndoneAndRedone() {
    let counter = Counter()
    let manager = counter.manager
    #expect(!manager.canUndo && !manager.canRedo)
    counter.set(1)
    counter.set(2)
    #expect(manager.canUndo)
    manager.undo()
    #expect(counter.value == 1 && manager.canRedo)
    manager.undo()
    #expect(counter.value == 0 && !manager.canUndo)
    manager.undo()
    manager.redo()
    manager.redo()
    #expect(counter.value == 2 && !manager.canRedo && manager.canUndo)
    manager.undo()
    counter.set(7)
    #expect(!manager.canRedo)
    manager.redo()
    #expect(counter.value == 7)
  }

  @Test func groupsAreUndoneTogetherAndCanBeNested() {
    let counter = Counter()
    let manager = counter.manager
    counter.set(1)
    manager.beginUndoGrouping()
    counter.set(2)
    manager.beginUndoGrouping()
    #expect(manager.groupingLevel == 2)
    counter.set(3)
    manager.endUndoGrouping()
    counter.set(4)
    manager.endUndoGrouping()
    #expect(manager.groupingLevel == 0)
    manager.undo()
    #expect(counter.value == 1)
    manager.redo()
    #expect(counter.value == 4)
    manager.beginUndoGrouping()
    counter.set(5)
    manager.undo()
    #expect(counter.value == 4 && manager.groupingLevel == 0)
  }

  @Test func emptyGroupsAreDiscarded() {
    let manager = UndoManager()
    manager.beginUndoGrouping()
    manager.endUndoGrouping()
    manager.endUndoGrouping()
    #expect(!manager.canUndo && manager.groupingLevel == 0)
  }

  @Test func levelsAreLimited() {
    let counter = Counter()
    counter.manager.levelsOfUndo = 2
    for value in 1...5 { counter.set(value) }
    for _ in 0..<5 { counter.manager.undo() }
    #expect(counter.value == 3)
    for _ in 0..<5 { counter.manager.redo() }
    counter.manager.levelsOfUndo = 1
    for _ in 0..<5 { counter.manager.undo() }
    #expect(counter.value == 4)
  }

  @Test func registrationCanBeDisabled() {
    let counter = Counter()
    let manager = counter.manager
    manager.disableUndoRegistration()
    manager.disableUndoRegistration()
    manager.enableUndoRegistration()
    #expect(!manager.isUndoRegistrationEnabled)
    counter.set(1)
    manager.enableUndoRegistration()
    manager.enableUndoRegistration()
    #expect(manager.isUndoRegistrationEnabled && !manager.canUndo)
    counter.set(2)
    manager.undo()
    #expect(counter.value == 1)
  }

  @Test func actionsHaveNames() {
    let counter = Counter()
    let manager = counter.manager
    #expect(manager.undoMenuItemTitle == "Undo" && manager.undoActionName == "")
    counter.set(1)
    manager.setActionName("Count")
    #expect(manager.undoActionName == "Count" && manager.undoMenuItemTitle == "Undo Count")
    manager.undo()
    #expect(manager.undoActionName == "" && manager.redoActionName == "Count")
    #expect(manager.redoMenuItemTitle == "Redo Count")
    manager.redo()
    #expect(manager.undoActionName == "Count" && manager.redoActionName == "")
    manager.beginUndoGrouping()
    manager.setActionName("Group")
    counter.set(2)
    manager.endUndoGrouping()
    #expect(manager.undoActionName == "Group")
  }

  @Test func removingATargetKeepsActionsOfOtherTargets() {
    let manager = UndoManager()
    let kept = Counter()
    let dropped = Counter()
    for counter in [kept, dropped] {
      manager.registerUndo(withTarget: counter) { $0.value += 10 }
    }
    manager.removeAllActions(withTarget: dropped)
    manager.undo()
    #expect(kept.value == 10 && dropped.value == 0 && !manager.canUndo)
    manager.registerUndo(withTarget: kept) { $0.value = 0 }
    manager.removeAllActions()
    #expect(!manager.canUndo)
  }

  @Test func targetsAreNotRetained() {
    let manager = UndoManager()
    weak var target: Counter?
    do {
      let counter = Counter()
      manager.registerUndo(withTarget: counter) { $0.value = 1 }
      target = counter
    }
    #expect(target == nil)
    manager.undo()
    #expect(!manager.canUndo)
  }

  @Test func undoStateAndNotificationsAreReported() {
    let counter = Counter()
    let manager = counter.manager
    let names: [Notification.Name] = [
      .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerDidCloseUndoGroup, .NSUndoManagerWillUndoChange,
      .NSUndoManagerDidUndoChange, .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange,
    ]
    nonisolated(unsafe) var seen: [Notification.Name] = []
    let tokens = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) {
        seen.append($0.name)
      }
    }
    defer { tokens.forEach(NotificationCenter.default.removeObserver) }
    manager.beginUndoGrouping()
    manager.registerUndo(withTarget: counter) { [unowned manager] _ in
      #expect(manager.isUndoing && !manager.isRedoing)
    }
    manager.endUndoGrouping()
    manager.undo()
    #expect(seen == Array(names.prefix(4)))
    #expect(!manager.isUndoing)
  }
}
