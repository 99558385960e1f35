import Foundation
import SwiftData

typealias Patient = ClinicSchemaV6.Patient
typealias Doctor = ClinicSchemaV6.Doctor
typealias Visit = ClinicSchemaV6.Visit
typealias Diagnosis = ClinicSchemaV6.Diagnosis
typealias Prescription = ClinicSchemaV6.Prescription
typealias Department = ClinicSchemaV6.Department
typealias Invoice = ClinicSchemaV6.Invoice
typealias InvoiceLine = ClinicSchemaV6.InvoiceLine
typealias Allergy = ClinicSchemaV6.Allergy
typealias Nurse = ClinicSchemaV6.Nurse
typealias Ward = ClinicSchemaV6.Ward
typealias Bed = ClinicSchemaV6.Bed
typealias Admission = ClinicSchemaV6.Admission
typealias LabOrder = ClinicSchemaV6.LabOrder
typealias LabResult = ClinicSchemaV6.LabResult
typealias Vaccine = ClinicSchemaV6.Vaccine
typealias Immunisation = ClinicSchemaV6.Immunisation
typealias InsurancePolicy = ClinicSchemaV6.InsurancePolicy
typealias Referral = ClinicSchemaV6.Referral
typealias Conversation = ClinicSchemaV6.Conversation
typealias Note = ClinicSchemaV6.Note
typealias AuditEntry = ClinicSchemaV6.AuditEntry

/// Wards, the laboratory, vaccinations and conversations.
enum ClinicSchemaV6: VersionedSchema {
  static let versionIdentifier = Schema.Version(6, 0, 0)

  static var models: [any PersistentModel.Type] {
    [
      Patient.self, Doctor.self, Visit.self, Diagnosis.self, Prescription.self, Department.self, Invoice.self,
      InvoiceLine.self, Allergy.self, Nurse.self, Ward.self, Bed.self, Admission.self, LabOrder.self,
      LabResult.self, Vaccine.self, Immunisation.self, InsurancePolicy.self, Referral.self, Conversation.self,
      Note.self, AuditEntry.self,
    ]
  }

  @Model
  final class Patient {
    #Index<Patient>([\.familyName], [\.familyName, \.givenName], [\.birthDate])

    @Attribute(.unique) var number: Int
    var fileCode: String?
    var givenName: String = ""
    var familyName: String = ""
    var birthDate: Date?
    var phone: String?
    var email: String?
    var sex: Sex = Sex.other
    var isActive: Bool = true
    var address: PostalAddress?
    var contact: Contact = Contact.unreachable
    var coverage: Coverage?
    var bloodGroup: BloodGroup?
    var weights: [Double] = []
    var tags: [String] = []
    var preferences: [String: String] = [:]
    @Attribute(.externalStorage) var photo: Data?
    @Transient var isSelected: Bool = false

    @Relationship(deleteRule: .cascade, inverse: \Visit.patient) var visits: [Visit] = []
    @Relationship(deleteRule: .cascade, inverse: \Prescription.patient) var prescriptions: [Prescription] = []
    @Relationship(deleteRule: .cascade, inverse: \Allergy.patient) var allergies: [Allergy] = []
    @Relationship(deleteRule: .cascade, inverse: \Admission.patient) var admissions: [Admission] = []
    @Relationship(deleteRule: .cascade, inverse: \Immunisation.patient) var immunisations: [Immunisation]? = []
    @Relationship(deleteRule: .cascade, inverse: \InsurancePolicy.holder) var policy: InsurancePolicy?
    @Relationship(deleteRule: .nullify, inverse: \Invoice.patient) var invoices: [Invoice] = []
    var guardian: Patient?
    @Relationship(inverse: \Patient.guardian) var dependants: [Patient] = []

    init(
      number: Int, givenName: String, familyName: String, birthDate: Date? = nil, sex: Sex = .other,
      guardian: Patient? = nil
    ) {
      self.number = number
      self.givenName = givenName
      self.familyName = familyName
      self.birthDate = birthDate
      self.sex = sex
      self.guardian = guardian
    }

    /// Creates a patient from a line of the registration desk: number, given name and family name, separated by
    /// semicolons.
    convenience init(registration line: String) throws {
      let fields = line.split(separator: ";").map(String.init)
      guard fields.count == 3, let number = Int(fields[0]) else { throw RegistrationError.malformed(line) }
      self.init(number: number, givenName: fields[1], familyName: fields[2])
    }

    enum RegistrationError: Error, Equatable {
      case malformed(String)
    }

    var fullName: String { givenName + " " + familyName }
  }

  @Model
  final class Doctor {
    var name: String
    @Attribute(.unique) var licence: String
    @Attribute(originalName: "startedAt") var employedSince: Date
    var fee: Decimal = 80
    var rating: Float?
    var homepage: URL?
    var isOnCall = false
    var department: Department?
    var mentor: Doctor?
    @Relationship(inverse: \Doctor.mentor) var trainees: [Doctor] = []
    @Relationship(inverse: \Visit.doctor) var visits: [Visit] = []
    @Relationship(inverse: \Visit.assistant) var assistedVisits: [Visit] = []
    @Relationship(inverse: \Referral.sender) var sentReferrals: [Referral] = []
    @Relationship(inverse: \Referral.recipient) var receivedReferrals: [Referral] = []
    @Relationship(inverse: \Conversation.participants) var conversations: [Conversation] = []

    init(name: String, licence: String, employedSince: Date, department: Department? = nil, mentor: Doctor? = nil) {
      self.name = name
      self.licence = licence
      self.employedSince = employedSince
      self.department = department
      self.mentor = mentor
    }
  }

  @Model
  final class Visit {
    #Index<Visit>([\.start], [\.reason, \.start])

    static let usualDuration = 15

    var reference: String = ""
    var reason: String
    var start: Date
    var duration: Int = Visit.usualDuration
    var status: VisitStatus = VisitStatus.planned
    var triage: Triage = Triage.normal
    var notes: String?
    var priority: Int16 = 1
    var pressure: BloodPressure?
    var attachments: [Attachment] = []
    var patient: Patient?
    var doctor: Doctor?
    var assistant: Doctor?
    @Relationship(inverse: \Invoice.visit) var invoice: Invoice?
    @Relationship(deleteRule: .cascade, inverse: \Diagnosis.visit) var diagnoses: [Diagnosis] = []
    @Relationship(deleteRule: .cascade, inverse: \LabOrder.visit) var labOrders: [LabOrder] = []

    init(
      _ reason: String, start: Date, duration: Int = Visit.usualDuration, patient: Patient? = nil,
      doctor: Doctor? = nil, diagnoses: [Diagnosis] = []
    ) {
      self.reason = reason
      self.start = start
      self.duration = duration
      self.patient = patient
      self.doctor = doctor
      self.diagnoses = diagnoses
    }
  }

  @Model
  final class Diagnosis {
    var code: String
    var title: String
    var severity: Int
    var isChronic: Bool = false
    var visit: Visit?

    init(code: String, title: String, severity: Int = 1, isChronic: Bool = false) {
      self.code = code
      self.title = title
      self.severity = severity
      self.isChronic = isChronic
    }

    /// Parses a diagnosis such as "J06.9 Cold". Returns nil if there is no code.
    init?(text: String, severity: Int = 1) {
      guard let space = text.firstIndex(of: " ") else { return nil }
      code = String(text[..<space])
      title = String(text[text.index(after: space)...])
      self.severity = severity
    }
  }

  @Model
  final class Prescription {
    var drug: String
    var dose: Dose?
    var until: Date?
    var refills: Int32 = 0
    var patient: Patient?

    init(drug: String, dose: Dose? = nil, until: Date? = nil, patient: Patient? = nil) {
      self.drug = drug
      self.dose = dose
      self.until = until
      self.patient = patient
    }
  }

  @Model
  final class Department {
    @Attribute(.unique) var name: String
    var hours: OpeningHours?
    @Relationship(inverse: \Doctor.department) var doctors: [Doctor] = []
    @Relationship(deleteRule: .cascade, inverse: \Ward.department) var wards: [Ward] = []

    init(name: String, hours: OpeningHours? = nil) {
      self.name = name
      self.hours = hours
    }
  }

  @Model
  final class Invoice {
    static let homeCurrency = "NOK"

    @Attribute(.unique) var number: Int
    var issuedAt: Date
    var state: InvoiceState = InvoiceState.draft
    var total: Decimal = 0
    var currency: String = Invoice.homeCurrency
    var patient: Patient?
    var visit: Visit?
    @Relationship(deleteRule: .cascade, inverse: \InvoiceLine.invoice) var lines: [InvoiceLine] = []

    init(number: Int, issuedAt: Date, patient: Patient?, visit: Visit? = nil) {
      self.number = number
      self.issuedAt = issuedAt
      self.patient = patient
      self.visit = visit
    }

    func updateTotal() {
      total = lines.reduce(Decimal(0)) { $0 + $1.sum }
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

    var sum: Decimal { amount * Decimal(quantity) }
  }

  @Model
  final class Allergy {
    #Unique<Allergy>([\.substance, \.patientNumber])

    var substance: String
    var patientNumber: Int
    var severity: Int
    var patient: Patient?

    init(substance: String, severity: Int, patient: Patient) {
      self.substance = substance
      self.severity = severity
      self.patientNumber = patient.number
      self.patient = patient
    }
  }

  @Model
  final class Nurse {
    enum Shift: String, Codable {
      case day, evening, night
    }

    var name: String
    var shift: Shift = Shift.day
    var otherShifts: [Shift] = []
    var grade: Int8 = 1
    var languages: [String] = ["no"]
    @Relationship(inverse: \Ward.nurses) var wards: [Ward] = []

    init<Languages: Sequence>(name: String, shift: Shift, languages: Languages) where Languages.Element == String {
      self.name = name
      self.shift = shift
      self.languages = Array(languages)
    }
  }

  @Model
  final class Ward {
    @Attribute(.unique) var name: String
    var floor: Int16
    var department: Department?
    var nurses: [Nurse] = []
    @Relationship(deleteRule: .cascade, inverse: \Bed.ward) var beds: [Bed] = []

    init(name: String, floor: Int16, department: Department?, beds: Int = 0) {
      self.name = name
      self.floor = floor
      self.department = department
      self.beds = (0..<beds).map { Bed(number: $0 + 1) }
    }
  }

  @Model
  final class Bed {
    var number: Int
    var ward: Ward?
    @Relationship(inverse: \Admission.bed) var admission: Admission?

    init(number: Int) {
      self.number = number
    }
  }

  @Model
  final class Admission {
    var admittedAt: Date
    var dischargedAt: Date?
    var temperatures: [Float] = []
    var remarks: [String]?
    var pressure: BloodPressure = BloodPressure.normal
    var patient: Patient?
    var bed: Bed?

    init(patient: Patient, bed: Bed?, admittedAt: Date) {
      self.admittedAt = admittedAt
      self.patient = patient
      self.bed = bed
    }
  }

  @Model
  final class LabOrder {
    @Attribute(.unique) var id: UUID = UUID()
    var sampleCode: String = UUID().uuidString
    var orderedAt: Date
    var urgency: Triage = Triage.normal
    var visit: Visit?
    @Relationship(deleteRule: .cascade, inverse: \LabResult.order) var results: [LabResult] = []

    init(id: UUID, orderedAt: Date, urgency: Triage = .normal, visit: Visit?) {
      self.id = id
      self.orderedAt = orderedAt
      self.urgency = urgency
      self.visit = visit
    }
  }

  @Model
  final class LabResult {
    var test: String
    var value: Double
    var unit: String?
    var isAbnormal: Bool = false
    @Attribute(.externalStorage) var curve: Data?
    var order: LabOrder

    init(_ test: String, value: Double, unit: String? = nil, isAbnormal: Bool = false, order: LabOrder) {
      self.test = test
      self.value = value
      self.unit = unit
      self.isAbnormal = isAbnormal
      self.order = order
    }
  }

  @Model
  final class Vaccine {
    @Attribute(.unique) var code: String
    var name: String
    var doses: UInt8 = 1
    var price: Decimal?
    var leaflet: URL?
    @Relationship(deleteRule: .nullify, inverse: \Immunisation.vaccine) var immunisations: [Immunisation] = []

    init(code: String, name: String, doses: UInt8 = 1) {
      self.code = code
      self.name = name
      self.doses = doses
    }
  }

  @Model
  final class Immunisation {
    var givenAt: Date
    var batch: Int64
    var doseNumber: Int32 = 1
    var vaccine: Vaccine?
    var patient: Patient?

    init(vaccine: Vaccine?, patient: Patient?, givenAt: Date, batch: Int64) {
      self.vaccine = vaccine
      self.patient = patient
      self.givenAt = givenAt
      self.batch = batch
    }
  }

  @Model
  final class InsurancePolicy {
    var company: String
    var policyNumber: UInt64
    var validUntil: Date?
    var ceiling: Decimal?
    var holder: Patient?

    init(company: String, policyNumber: UInt64) {
      self.company = company
      self.policyNumber = policyNumber
    }
  }

  @Model
  final class Referral {
    var reason: String
    var createdAt: Date
    var acceptedAt: Date?
    var sender: Doctor?
    var recipient: Doctor?
    @Relationship(inverse: nil) var patient: Patient?

    init(reason: String, createdAt: Date, from sender: Doctor, to recipient: Doctor, patient: Patient) {
      self.reason = reason
      self.createdAt = createdAt
      self.sender = sender
      self.recipient = recipient
      self.patient = patient
    }
  }

  @Model
  final class Conversation {
    var subject: String
    var isPinned: Bool = false
    var lastMessageAt: Date = Date.now
    var participants: [Doctor] = []
    @Relationship(deleteRule: .cascade, inverse: \Note.conversation) var notes: [Note] = []

    init(subject: String, participants: [Doctor]) {
      self.subject = subject
      self.participants = participants
    }
  }

  @Model
  final class Note {
    var text: String
    var sentAt: Date
    var mentions: [String] = []
    var conversation: Conversation?
    @Relationship(inverse: nil) var author: Doctor?

    init(text: String, sentAt: Date, author: Doctor) {
      self.text = text
      self.sentAt = sentAt
      self.author = author
    }
  }

  @Model
  final class AuditEntry {
    @Attribute(.unique) var id: UUID = UUID()
    @Attribute(.preserveValueOnDeletion) var subject: String
    var action: String
    var happenedAt: Date
    var checksum: UInt64
    var changes: [String: Int] = [:]

    init(id: UUID, subject: String, action: String, happenedAt: Date, checksum: UInt64) {
      self.id = id
      self.subject = subject
      self.action = action
      self.happenedAt = happenedAt
      self.checksum = checksum
    }
  }
}
