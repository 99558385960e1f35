import Foundation
import SwiftData

/// Departments instead of specialties, and names in two parts.
enum ClinicSchemaV4: VersionedSchema {
  static let versionIdentifier = Schema.Version(4, 0, 0)

  static var models: [any PersistentModel.Type] {
    [
      Patient.self, Doctor.self, Visit.self, Diagnosis.self, Room.self, Prescription.self, Department.self,
    ]
  }

  @Model
  final class Patient {
    @Attribute(.unique) var number: Int
    var fullName: String
    var givenName: String = ""
    var familyName: String = ""
    var birthDate: Date?
    var phone: String?
    var email: String?
    var sex: Sex = Sex.other
    var isActive: Bool = true
    @Relationship(deleteRule: .cascade, inverse: \Visit.patient) var visits: [Visit] = []
    @Relationship(deleteRule: .cascade, inverse: \Prescription.patient) var prescriptions: [Prescription] = []

    init(number: Int, givenName: String, familyName: String) {
      self.number = number
      self.givenName = givenName
      self.familyName = familyName
      fullName = givenName + " " + familyName
    }
  }

  @Model
  final class Doctor {
    var name: String
    var licence: String = ""
    var specialty: String?
    var startedAt: Date
    var department: Department?
    var mentor: Doctor?
    @Relationship(inverse: \Doctor.mentor) var trainees: [Doctor] = []
    @Relationship(inverse: \Visit.doctor) var visits: [Visit] = []

    init(name: String, licence: String, startedAt: Date, department: Department? = nil) {
      self.name = name
      self.licence = licence
      self.startedAt = startedAt
      self.department = department
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

    init(drug: String, patient: Patient?) {
      self.drug = drug
      self.patient = patient
    }
  }

  @Model
  final class Department {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \Doctor.department) var doctors: [Doctor] = []

    init(name: String) {
      self.name = name
    }
  }
}

/// Invoices and allergies. Rooms moved to the app that manages the building.
enum ClinicSchemaV5: VersionedSchema {
  static let versionIdentifier = Schema.Version(5, 0, 0)

  static var models: [any PersistentModel.Type] {
    [
      Patient.self, Doctor.self, Visit.self, Diagnosis.self, Prescription.self, Department.self, Invoice.self,
      InvoiceLine.self, Allergy.self,
    ]
  }

  @Model
  final class Patient {
    @Attribute(.unique) var number: Int
    var givenName: String = ""
    var familyName: String = ""
    var birthDate: Date?
    var phone: String?
    var email: String?
    var sex: Sex = Sex.other
    var isActive: Bool = true
    @Relationship(deleteRule: .cascade, inverse: \Visit.patient) var visits: [Visit] = []
    @Relationship(deleteRule: .cascade, inverse: \Prescription.patient) var prescriptions: [Prescription] = []
    @Relationship(deleteRule: .cascade, inverse: \Allergy.patient) var allergies: [Allergy] = []
    @Relationship(inverse: \Invoice.patient) var invoices: [Invoice] = []

    init(number: Int, givenName: String, familyName: String) {
      self.number = number
      self.givenName = givenName
      self.familyName = familyName
    }
  }

  @Model
  final class Doctor {
    var name: String
    var licence: String = ""
    var startedAt: Date
    var department: Department?
    var mentor: Doctor?
    @Relationship(inverse: \Doctor.mentor) var trainees: [Doctor] = []
    @Relationship(inverse: \Visit.doctor) var visits: [Visit] = []

    init(name: String, licence: String, startedAt: Date) {
      self.name = name
      self.licence = licence
      self.startedAt = startedAt
    }
  }

  @Model
  final class Visit {
    var reason: String
    var start: Date
    @Attribute(originalName: "minutes") var duration: Int = 15
    var status: VisitStatus = VisitStatus.planned
    var triage: Triage = Triage.normal
    var notes: String?
    var priority: Int16 = 1
    var patient: Patient?
    var doctor: Doctor?
    @Relationship(inverse: \Invoice.visit) var invoice: Invoice?
    @Relationship(deleteRule: .cascade, inverse: \Diagnosis.visit) var diagnoses: [Diagnosis] = []

    init(reason: String, start: Date, triage: Triage = .normal, patient: Patient?) {
      self.reason = reason
      self.start = start
      self.triage = triage
      self.patient = patient
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
  final class Prescription {
    var drug: String
    var dose: Dose?
    var until: Date?
    var patient: Patient?

    init(drug: String, patient: Patient?) {
      self.drug = drug
      self.patient = patient
    }
  }

  @Model
  final class Department {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \Doctor.department) var doctors: [Doctor] = []

    init(name: String) {
      self.name = name
    }
  }

  @Model
  final class Invoice {
    @Attribute(.unique) var number: Int
    var issuedAt: Date
    var state: InvoiceState = InvoiceState.draft
    var patient: Patient?
    var visit: Visit?
    @Relationship(deleteRule: .cascade, inverse: \InvoiceLine.invoice) var lines: [InvoiceLine] = []

    init(number: Int, issuedAt: Date, patient: Patient?, visit: Visit? = nil, lines: [InvoiceLine] = []) {
      self.number = number
      self.issuedAt = issuedAt
      self.patient = patient
      self.visit = visit
      self.lines = lines
    }
  }

  @Model
  final class InvoiceLine {
    var text: String
    var amount: Decimal
    var quantity: Int = 1
    var invoice: Invoice?

    init(text: String, amount: Decimal, quantity: Int = 1) {
      self.text = text
      self.amount = amount
      self.quantity = quantity
    }
  }

  @Model
  final class Allergy {
    var substance: String
    var patientNumber: Int
    var severity: Int
    var patient: Patient?

    init(substance: String, severity: Int, patient: Patient) {
      self.substance = substance
      self.severity = severity
      self.patient = patient
      patientNumber = patient.number
    }
  }
}
