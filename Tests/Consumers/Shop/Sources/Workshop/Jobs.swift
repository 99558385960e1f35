import Foundation
import SwiftData

@Model
class Job {
  var title: String
  var due: Date?
  var isDone: Bool = false
  var priority: Int = 0
  var tools: [Tool] = []
  @Relationship(deleteRule: .cascade, inverse: \LogEntry.job) var log: [LogEntry] = []
  @Relationship(deleteRule: .cascade, inverse: \Checklist.job) var checklist: Checklist?

  init(title: String, due: Date? = nil) {
    self.title = title
    self.due = due
  }

  var estimate: Int { 60 }
}

@Model
final class RepairJob: Job {
  var fault: String
  var customer: String?
  @Relationship(inverse: nil) var broken: Tool?

  init(_ fault: String, on tool: Tool, due: Date? = nil) {
    self.fault = fault
    self.broken = tool
    super.init(title: "Repair of \(tool.name)", due: due)
  }

  override var estimate: Int { fault.count * 5 }
}

@Model
final class BuildJob: Job {
  var joints: [Joint] = []
  var marks: [Mark] = []
  var project: Project?

  init(title: String, project: Project?, joints: [Joint] = []) {
    self.project = project
    self.joints = joints
    super.init(title: title)
  }

  override var estimate: Int { super.estimate * max(joints.count, 1) }
}

@Model
final class LogEntry {
  @Attribute(.preserveValueOnDeletion) var text: String
  var writtenAt: Date
  var minutes: Int32?
  var job: Job?

  init(_ text: String, writtenAt: Date, minutes: Int32? = nil) {
    self.text = text
    self.writtenAt = writtenAt
    self.minutes = minutes
  }
}

@Model
final class Checklist {
  var title: String
  var job: Job?
  @Relationship(deleteRule: .cascade, inverse: \ChecklistItem.list) var items: [ChecklistItem]? = []

  init(title: String, items: [String]) {
    self.title = title
    self.items = items.enumerated().map { ChecklistItem(position: $0.offset, text: $0.element) }
  }
}

@Model
final class ChecklistItem {
  var position: Int
  var text: String
  var isChecked = false
  var list: Checklist?

  init(position: Int, text: String) {
    self.position = position
    self.text = text
  }
}

@Model
final class Project {
  var name: String
  var startedAt: Date?
  var budget: Decimal?
  var plan: URL?
  var owner: Member?
  var helpers: [Member] = []
  @Relationship(deleteRule: .cascade, inverse: \Part.project) var parts: [Part] = []
  @Relationship(deleteRule: .nullify, inverse: \BuildJob.project) var jobs: [BuildJob] = []
  @Relationship(deleteRule: .cascade, inverse: \Step.project) var steps: [Step] = []

  init(name: String, owner: Member?) {
    self.name = name
    self.owner = owner
  }
}

@Model
final class Step {
  var number: Int
  var text: String = ""
  var project: Project?
  var previous: Step?
  @Relationship(inverse: \Step.previous) var next: Step?

  init(number: Int, text: String, after previous: Step? = nil) {
    self.number = number
    self.text = text
    self.previous = previous
  }
}

@Model
final class Part {
  var name: String
  var size: Size?
  var quantity: Int = 1
  var project: Project?
  var material: Material?
  var finish: Finish?

  init(name: String, quantity: Int = 1, size: Size? = nil, material: Material? = nil) {
    self.name = name
    self.quantity = quantity
    self.size = size
    self.material = material
  }
}

@Model
final class Finish {
  @Attribute(.unique) var name: String
  @Attribute(.transformable(by: ColourTransformer.self)) var colour: Colour?
  var gloss: Float = 0.5
  @Relationship(deleteRule: .nullify, inverse: \Part.finish) var parts: [Part] = []

  init(name: String, colour: Colour? = nil) {
    self.name = name
    self.colour = colour
  }
}

@Model
final class Material {
  @Attribute(.unique) var code: String
  var name: String
  var quantity: Double
  var reserved: Double = 0
  var unit: String?
  var supplier: Supplier?
  @Relationship(deleteRule: .nullify, inverse: \Part.material) var parts: [Part] = []
  @Relationship(deleteRule: .nullify, inverse: \DeliveryLine.material) var deliveries: [DeliveryLine] = []

  init(code: String, name: String, quantity: Double = 0, supplier: Supplier? = nil) {
    self.code = code
    self.name = name
    self.quantity = quantity
    self.supplier = supplier
  }
}

@Model
final class Supplier {
  @Attribute(.unique) var name: String
  var website: URL?
  var isPreferred: Bool?
  @Relationship(deleteRule: .cascade, inverse: \Material.supplier) var materials: [Material] = []
  @Relationship(deleteRule: .cascade, inverse: \Delivery.supplier) var deliveries: [Delivery] = []

  init(name: String) {
    self.name = name
  }
}

@Model
final class Delivery {
  var arrivedAt: Date
  var note: String?
  var supplier: Supplier?
  @Relationship(deleteRule: .cascade, inverse: \DeliveryLine.delivery) var lines: [DeliveryLine] = []

  init(arrivedAt: Date, supplier: Supplier) {
    self.arrivedAt = arrivedAt
    self.supplier = supplier
  }
}

@Model
final class DeliveryLine {
  var quantity: Double
  var material: Material?
  var delivery: Delivery?

  init(quantity: Double, of material: Material, in delivery: Delivery) {
    self.quantity = quantity
    self.material = material
    self.delivery = delivery
  }
}
