import ClassicV1
import ClassicV2
import Foundation
import Trellis

/// The twelve classic changes in one stage.
enum Classic {
  enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [
        ClassicV1.Trip.self, ClassicV1.Person.self, ClassicV1.Home.self, ClassicV1.Office.self,
        ClassicV1.Author.self, ClassicV1.Student.self, ClassicV1.Customer.self, ClassicV1.Tag.self,
        ClassicV1.Log.self, ClassicV1.Journey.self, ClassicV1.Vehicle.self, ClassicV1.Car.self,
        ClassicV1.Bicycle.self, ClassicV1.Pair.self, ClassicV1.Numbers.self,
      ]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [
        ClassicV2.Trip.self, ClassicV2.Person.self, ClassicV2.Place.self, ClassicV2.Author.self,
        ClassicV2.Student.self, ClassicV2.Customer.self, ClassicV2.Tag.self, ClassicV2.Archive.self,
        ClassicV2.Voyage.self, ClassicV2.Vehicle.self, ClassicV2.Automobile.self,
        ClassicV2.Bicycle.self, ClassicV2.Pair.self, ClassicV2.Numbers.self,
      ]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  static let fillTrips = MigrationStep.fill(
    ClassicV1.Trip.Snapshot.self, ClassicV2.Trip.Snapshot.self, ["cents", "kind"]
  ) { old, new in
    new.cents = Int((old.budget * 100).rounded())
    new.kind = old.kind == .personal ? .personal : .business
  }

  static let splitNames = MigrationStep.fill(
    ClassicV1.Person.Snapshot.self, ClassicV2.Person.Snapshot.self, ["firstName", "lastName"]
  ) { old, new in
    let parts = old.fullName.split(separator: " ", maxSplits: 1).map(String.init)
    new.firstName = parts.first ?? ""
    new.lastName = parts.count > 1 ? parts[1] : ""
  }

  static let uniqueTags = MigrationStep.dedupe(ClassicV2.Tag.self, on: ["name"], keep: .newest)

  static let splitNicknames = MigrationStep.custom("splitNicknames") { rows in
    try rows.forEach(ClassicV1.Person.Snapshot.self) { people in
      try rows.new.insert(
        contentsOf: people.compactMap { person in
          person.nickname.map {
            ClassicV2.Alias.Snapshot(
              text: $0, person: rows.identifier(of: person, as: ClassicV2.Person.self))
          }
        })
    }
  }

  static let mergePlaces = MigrationStep.custom("mergePlaces") { rows in
    try rows.forEach(ClassicV1.Home.Snapshot.self) { homes in
      try rows.new.insert(
        contentsOf: homes.map { ClassicV2.Place.Snapshot(street: $0.street, kind: "home") })
    }
    for office in try rows.old.all(ClassicV1.Office.self) {
      rows.new.insert(ClassicV2.Place(street: office.street, floor: office.floor, kind: "office"))
    }
  }

  static let makeEnrollments = MigrationStep.custom("makeEnrollments") { rows in
    for student in try rows.old.all(ClassicV1.Student.self) {
      let new = rows.identifier(of: student.persistentModelID, as: ClassicV2.Student.self)
      try rows.new.insert(
        contentsOf: student.courses.map { course in
          ClassicV2.Enrollment.Snapshot(
            student: new,
            course: rows.identifier(of: course.persistentModelID, as: ClassicV2.Course.self))
        })
    }
  }

  static let moveAddresses = MigrationStep.custom("moveAddresses") { rows in
    for customer in try rows.new.all(ClassicV2.Customer.self) {
      let old = rows.old.model(for: customer.persistentModelID) as? ClassicV1.Customer
      customer.address = old?.orders.max { $0.number < $1.number }?.address
    }
  }

  static let archiveLogs = MigrationStep.custom("archiveLogs") { rows in
    try rows.forEach(ClassicV1.Log.Snapshot.self, count: 2) { logs in
      try rows.new.insert(
        contentsOf: logs.map { ClassicV2.Archive.Snapshot(kind: "log", text: $0.message) })
    }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: V1.self, toVersion: V2.self,
          [
            fillTrips, splitNames, uniqueTags, splitNicknames, mergePlaces, makeEnrollments,
            moveAddresses, archiveLogs,
          ])
      ]
    }
  }

  /// A store of the first version with all kinds of contents.
  static func fill(_ context: ModelContext) throws {
    let photo = Data(repeating: 7, count: 300_000)
    let trips = [
      ClassicV1.Trip(title: "Oslo", budget: 12.34, note: "n", kind: .business, photo: photo),
      ClassicV1.Trip(title: "e\u{301}", budget: 0.1),
    ]
    let people = [
      ClassicV1.Person(fullName: "Ada Lovelace", nickname: "Countess"),
      ClassicV1.Person(fullName: "Plato"),
    ]
    let author = ClassicV1.Author(name: "Borges")
    let books = [ClassicV1.Book(title: "Ficciones"), ClassicV1.Book(title: "Beowulf")]
    books[0].author = author
    let students = [ClassicV1.Student(name: "s1"), ClassicV1.Student(name: "s2")]
    let courses = [ClassicV1.Course(title: "c1"), ClassicV1.Course(title: "c2")]
    students[0].courses = courses
    students[1].courses = [courses[1]]
    let customer = ClassicV1.Customer(name: "k")
    customer.orders = [
      ClassicV1.Order(number: 1, address: "first"), ClassicV1.Order(number: 2, address: "second"),
    ]
    let tags = [
      ClassicV1.Tag(name: "same", weight: 1), ClassicV1.Tag(name: "other", weight: 2),
      ClassicV1.Tag(name: "same", weight: 3),
    ]
    let memos = [ClassicV1.Memo(text: "m1"), ClassicV1.Memo(text: "m2")]
    for model in [people[0], people[1]] { context.insert(model) }
    try context.add(trips)
    try context.add([author, books[0], books[1]])
    try context.add(students)
    try context.add([customer])
    for tag in tags { try context.add([tag]) }
    for memo in memos { context.insert(memo) }
    memos[0].tags = [tags[0], tags[2]]
    memos[1].tags = [tags[0]]
    let mark = ClassicV1.Mark(text: "k")
    context.insert(mark)
    mark.tag = tags[0]
    let journey = ClassicV1.Journey(place: "Bergen")
    journey.stops = [ClassicV1.Stop(name: "a"), ClassicV1.Stop(name: "b")]
    try context.add([
      ClassicV1.Home(street: "h"), ClassicV1.Office(street: "o", floor: 4), journey,
      ClassicV1.Log(message: "l1", date: Date()), ClassicV1.Log(message: "l2", date: Date()),
      ClassicV1.Log(message: "l3", date: Date()), ClassicV1.Pair(left: "l", right: "r"),
      ClassicV1.Vehicle(name: "v"), ClassicV1.Car(name: "c", doors: 5),
      ClassicV1.Bicycle(name: "b", gears: 7),
      ClassicV1.Numbers(
        small: .min, plain: 1 << 53, byte: .max, wide: .max, real: .nan, letter: "ä",
        list: [1, -2], perhaps: nil),
      ClassicV1.Numbers(
        small: 7, plain: -3, byte: 0, wide: 0, real: 1.5, letter: "b", list: [], perhaps: 9),
    ])
  }
}
