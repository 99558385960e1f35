import Foundation
import SwiftData

/// The first release.
enum ClinicSchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)

  static var models: [any PersistentModel.Type] {
    [Patient.self, Doctor.self, Visit.self, Diagnosis.self, Room.self]
  }

  @Model
  final class Patient {
    var number: Int
    var name: String
    var birth: Date?
    var phone: String?
    var sex: Sex = Sex.other
    @Relationship(deleteRule: .cascade, inverse: \Visit.patient) var visits: [Visit] = []

    init(number: Int, name: String, birth: Date? = nil, phone: String? = nil, sex: Sex = .other) {
      self.number = number
      self.name = name
      self.birth = birth
      self.phone = phone
      self.sex = sex
    }
  }

  @Model
  final class Doctor {
    var name: String
    var specialty: String?
    var startedAt: Date
    @Relationship(inverse: \Visit.doctor) var visits: [Visit] = []

    init(name: String, specialty: String? = nil, startedAt: Date) {
      self.name = name
      self.specialty = specialty
      self.startedAt = startedAt
    }
  }

  @Model
  final class Visit {
    var reason: String
    var start: Date
    var minutes: Int = 15
    var status: VisitStatus = VisitStatus.planned
    var patient: Patient?
    var doctor: Doctor?
    @Relationship(deleteRule: .cascade, inverse: \Diagnosis.visit) var diagnoses: [Diagnosis] = []

    init(reason: String, start: Date, minutes: Int = 15, patient: Patient?, doctor: Doctor? = nil) {
      self.reason = reason
      self.start = start
      self.minutes = minutes
      self.patient = patient
      self.doctor = doctor
    }
  }

  @Model
  final class Diagnosis {
    var code: String
    var title: String
    var severity: Int
    var visit: Visit?

    init(code: String, title: String, severity: Int = 1, visit: Visit? = nil) {
      self.code = code
      self.title = title
      self.severity = severity
      self.visit = visit
    }
  }

  @Model
  final class Room {
    var name: String
    var floor: Int
    var isAccessible: Bool = false

    init(name: String, floor: Int) {
      self.name = name
      self.floor = floor
    }
  }
}

/// Patient numbers are unique, and rooms have labels.
enum ClinicSchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)

  static var models: [any PersistentModel.Type] {
    [Patient.self, Doctor.self, Visit.self, Diagnosis.self, Room.self]
  }

  @Model
  final class Patient {
    @Attribute(.unique) var number: Int
    var name: String
    var birth: Date?
    var phone: String?
    var email: String?
    var sex: Sex = Sex.other
    var isActive: Bool = true
    @Relationship(deleteRule: .cascade, inverse: \Visit.patient) var visits: [Visit] = []

    init(number: Int, name: String, birth: Date? = nil, email: String? = nil) {
      self.number = number
      self.name = name
      self.birth = birth
      self.email = email
    }
  }

  @Model
  final class Doctor {
    var name: String
    var specialty: String?
    var startedAt: Date
    @Relationship(inverse: \Visit.doctor) var visits: [Visit] = []

    init(name: String, specialty: String? = nil, startedAt: Date) {
      self.name = name
      self.specialty = specialty
      self.startedAt = startedAt
    }
  }

  @Model
  final class Visit {
    var reason: String
    var start: Date
    var minutes: Int = 15
    var status: VisitStatus = VisitStatus.planned
    var patient: Patient?
    var doctor: Doctor?
    @Relationship(deleteRule: .cascade, inverse: \Diagnosis.visit) var diagnoses: [Diagnosis] = []

    init(reason: String, start: Date, patient: Patient?) {
      self.reason = reason
      self.start = start
      self.patient = patient
    }
  }

  @Model
  final class Diagnosis {
    var code: String
    var title: String
    var severity: Int
    var visit: Visit?

    init(code: String, title: String, severity: Int = 1) {
      self.code = code
      self.title = title
      self.severity = severity
    }
  }

  @Model
  final class Room {
    @Attribute(originalName: "name") var label: String
    var floor: Int
    var isAccessible: Bool = false
    var seats: Int?

    init(label: String, floor: Int, seats: Int? = nil) {
      self.label = label
      self.floor = floor
      self.seats = seats
    }
  }
}

/// Clearer names, prescriptions, and doctors with mentors.
enum ClinicSchemaV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)

  static var models: [any PersistentModel.Type] {
    [Patient.self, Doctor.self, Visit.self, Diagnosis.self, Room.self, Prescription.self]
  }

  @Model
  final class Patient {
    @Attribute(.unique) var number: Int
    @Attribute(originalName: "name") var fullName: String
    @Attribute(originalName: "birth") var birthDate: Date?
    var phone: String?
    var email: String?
    var sex: Sex = Sex.other
    var isActive: Bool = true
    @Relationship(deleteRule: .cascade, inverse: \Visit.patient) var visits: [Visit] = []
    @Relationship(deleteRule: .cascade, inverse: \Prescription.patient) var prescriptions: [Prescription] = []

    init(number: Int, fullName: String, birthDate: Date? = nil) {
      self.number = number
      self.fullName = fullName
      self.birthDate = birthDate
    }
  }

  @Model
  final class Doctor {
    var name: String
    var specialty: String?
    var startedAt: Date
    var mentor: Doctor?
    @Relationship(inverse: \Doctor.mentor) var trainees: [Doctor] = []
    @Relationship(inverse: \Visit.doctor) var visits: [Visit] = []

    init(name: String, specialty: String? = nil, startedAt: Date) {
      self.name = name
      self.specialty = specialty
      self.startedAt = startedAt
    }
  }

  @Model
  final class Visit {
    var reason: String
    var start: Date
    var minutes: Int = 15
    var status: VisitStatus = VisitStatus.planned
    var notes: String?
    var priority: Int16 = 1
    var patient: Patient?
    var doctor: Doctor?
    @Relationship(deleteRule: .cascade, inverse: \Diagnosis.visit) var diagnoses: [Diagnosis] = []

    init(reason: String, start: Date, patient: Patient?, doctor: Doctor?) {
      self.reason = reason
      self.start = start
      self.patient = patient
      self.doctor = doctor
    }
  }

  @Model
  final class Diagnosis {
    var code: String
    var title: String
    var severity: Int
    var visit: Visit?

    init(code: String, title: String, severity: Int) {
      self.code = code
      self.title = title
      self.severity = severity
    }
  }

  @Model
  final class Room {
    var label: String
    var floor: Int
    var isAccessible: Bool = false
    var seats: Int?

    init(label: String, floor: Int) {
      self.label = label
      self.floor = floor
    }
  }

  @Model
  final class Prescription {
    var drug: String
    var dose: Dose?
    var until: Date?
    var patient: Patient?

    init(drug: String, dose: Dose? = nil, patient: Patient?) {
      self.drug = drug
      self.dose = dose
      self.patient = patient
    }
  }
}
