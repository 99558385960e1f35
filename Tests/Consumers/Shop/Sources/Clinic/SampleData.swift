import Foundation
import SwiftData

/// Returns a date that is the same in every run.
func day(_ number: Int, hour: Int = 0) -> Date {
  Date(timeIntervalSinceReferenceDate: 760_000_000 + Double(number) * 86_400 + Double(hour) * 3_600)
}

func uuid(_ number: Int) -> UUID {
  let digits = String(number)
  let zeros = String(repeating: "0", count: 12 - digits.count)
  return UUID(uuidString: "7C1A0000-0000-4000-8000-" + zeros + digits)!
}

/// Fills an empty clinic: 3 departments, 5 doctors, 12 patients and 18 visits.
struct SampleClinic {
  let context: ModelContext
  var departments: [Department] = []
  var doctors: [Doctor] = []
  var patients: [Patient] = []
  var visits: [Visit] = []
  var nextInvoice = 1000

  init(in context: ModelContext) {
    self.context = context
    addStaff()
    addPatients()
    addGuardiansAndFiles()
    addVisits()
    addWards()
    addCorrespondence()
  }

  private mutating func addStaff() {
    departments = [
      Department(name: "Surgery", hours: OpeningHours(opens: 8, closes: 16)),
      Department(name: "Children", hours: OpeningHours(opens: 9, closes: 15)),
      Department(name: "Eyes"),
    ]
    let names = ["Ada Lund", "Bo Moen", "Cato Nes", "Dina Ong", "Eva Pi"]
    for (index, name) in names.enumerated() {
      let doctor = Doctor(
        name: name, licence: "L-\(index + 1)", employedSince: day(-3000 + index * 250),
        department: index < 4 ? departments[index / 2] : nil)
      doctor.rating = index == 1 ? nil : 3.5 + Float(index) / 4
      doctor.homepage = index == 0 ? URL(string: "https://clinic.example/ada") : nil
      doctor.isOnCall = index.isMultiple(of: 2)
      doctors.append(doctor)
      context.insert(doctor)
    }
    context.insert(departments[2])
    doctors[0].fee = Decimal(string: "120.50")!
    doctors[1].mentor = doctors[0]
    doctors[2].mentor = doctors[1]
    doctors[3].mentor = doctors[0]
  }

  private mutating func addPatients() {
    let givenNames = ["Anna", "Bjarne", "Celine", "David", "Ella", "Fredrik"]
    let familyNames = ["Berg", "Dahl", "Haug", "Lie"]
    let sexes = Sex.allCases
    for index in 0..<12 {
      let patient = Patient(
        number: 101 + index, givenName: givenNames[index % 6], familyName: familyNames[index % 4],
        birthDate: index % 5 == 4 ? nil : day(-4000 - 900 * index), sex: sexes[index % 3])
      patient.email = index % 3 == 0 ? nil : "\(patient.givenName.lowercased())@example.org"
      patient.phone = index % 4 == 1 ? nil : "555-01\(10 + index)"
      patient.isActive = index % 5 != 3
      patient.tags = index % 4 == 0 ? ["tag\(index % 3)", "vip"] : ["tag\(index % 3)"]
      patient.weights = (0..<index % 3).map { 61.5 + Double(index + $0) }
      patient.preferences = ["language": index.isMultiple(of: 2) ? "no" : "en"]
      context.insert(patient)
      patients.append(patient)
    }
  }

  private func addGuardiansAndFiles() {
    patients[5].guardian = patients[0]
    patients[7].guardian = patients[0]
    patients[9].guardian = patients[1]
    let vaccines = [
      Vaccine(code: "MMR", name: "Measles", doses: 2), Vaccine(code: "TET", name: "Tetanus"),
      Vaccine(code: "FLU", name: "Influenza", doses: 1),
    ]
    vaccines[0].price = Decimal(string: "312.75")
    vaccines[1].leaflet = URL(string: "https://clinic.example/leaflets/tet?lang=no")
    for vaccine in vaccines { context.insert(vaccine) }
    for (index, patient) in patients.enumerated() {
      switch index % 3 {
      case 0:
        patient.contact = .phone(number: "555-0\(index)", line: index == 3 ? 7 : nil)
        patient.address = PostalAddress(street: "Fjord Road \(index)", city: "Bergen", postcode: "50\(10 + index)")
      case 1:
        patient.contact = .email("p\(index)@example.org")
        let policy = InsurancePolicy(company: index < 6 ? "North" : "South", policyNumber: UInt64.max - UInt64(index))
        policy.ceiling = index == 4 ? nil : Decimal(index * 1000) + Decimal(string: "0.01")!
        policy.validUntil = index == 1 ? day(400) : nil
        patient.policy = policy
        patient.coverage = .insured(company: policy.company, policy: index)
      default:
        patient.coverage = index < 6 ? .selfPaid : .partial(percent: 12.5)
        patient.bloodGroup = index < 6 ? .ab : .zero
      }
      if index % 4 == 2 { context.insert(Allergy(substance: "penicillin", severity: index % 3 + 1, patient: patient)) }
      if index % 6 == 0 { context.insert(Allergy(substance: "nuts", severity: 2, patient: patient)) }
      if index % 2 == 0 {
        let dose = Dose(amount: 0.5 * Double(index + 1), form: index == 0 ? .drops : .tablet, timesPerDay: 2)
        let prescription = Prescription(drug: "Drug \(index)", dose: index == 4 ? nil : dose, patient: patient)
        prescription.until = index < 6 ? day(index * 10) : nil
        prescription.refills = Int32(index) * 100_000
        context.insert(prescription)
      }
      let vaccine = vaccines[index % 3]
      let shot = Immunisation(
        vaccine: vaccine, patient: patient, givenAt: day(index * 7), batch: 9_000_000_000_000 + Int64(index))
      shot.doseNumber = Int32(index % 2 + 1)
      context.insert(shot)
    }
    patients[2].photo = Data((0..<5_000).map { UInt8($0 % 251) })
  }

  private mutating func addVisits() {
    let reasons = ["Cough", "Checkup", "Fall", "Headache", "Blood test"]
    for (index, patient) in patients.enumerated() {
      for turn in 0..<index % 4 {
        let sum = index + turn
        let visit = Visit(
          reasons[sum % 5], start: day(index * 3 + turn * 10, hour: 8 + turn), duration: 15 * (1 + sum % 3),
          patient: patient, doctor: sum % 6 == 5 ? nil : doctors[(index * turn + index) % 5])
        visit.reference = "\(patient.number)/\(turn + 1)"
        visit.assistant = turn == 1 ? doctors[(index + 2) % 5] : nil
        visit.status = VisitStatus.allCases[sum % 4]
        visit.triage = Triage.allCases[(sum * 3) % 4]
        visit.priority = Int16(sum % 3)
        visit.notes = turn == 0 ? "First visit of \(patient.givenName)" : nil
        visit.pressure = turn == 2 ? BloodPressure(systolic: 110 + index, diastolic: 70) : nil
        if sum % 2 == 0, let cold = Diagnosis(text: "J0\(turn) Common cold", severity: 1 + sum % 3) {
          visit.diagnoses.append(cold)
        }
        if sum % 5 == 3 {
          visit.diagnoses.append(Diagnosis(code: "I10", title: "High pressure", severity: 4, isChronic: true))
          visit.attachments = [Attachment(title: "Curve", pages: 2, scannedAt: visit.start)]
        }
        context.insert(visit)
        visits.append(visit)
        if visit.status == .finished { addInvoice(for: visit) }
        if index % 3 == 2, turn == 0 { addLabOrder(for: visit) }
      }
    }
  }

  private mutating func addInvoice(for visit: Visit) {
    let invoice = Invoice(
      number: nextInvoice, issuedAt: visit.start.addingTimeInterval(86_400), patient: visit.patient, visit: visit)
    nextInvoice += 1
    context.insert(invoice)
    invoice.lines = [
      InvoiceLine(text: "Consultation", amount: Decimal(string: "350.25")!),
      InvoiceLine(text: "Material", amount: 12, quantity: nextInvoice % 4),
    ]
    invoice.state = nextInvoice % 3 == 0 ? .paid : .sent
    invoice.updateTotal()
  }

  private func addLabOrder(for visit: Visit) {
    let order = LabOrder(
      id: uuid(visits.count), orderedAt: visit.start, urgency: visit.triage, visit: visit)
    context.insert(order)
    let sodium = LabResult("Sodium", value: 139.5 + Double(visits.count), unit: "mmol/L", order: order)
    let iron = LabResult("Iron", value: 9.25, isAbnormal: visits.count > 5, order: order)
    iron.curve = Data(repeating: UInt8(visits.count), count: 300)
    context.insert(sodium)
    context.insert(iron)
  }

  private func addWards() {
    let wards = [
      Ward(name: "W1", floor: 1, department: departments[0], beds: 3),
      Ward(name: "W2", floor: 2, department: departments[1], beds: 2), Ward(name: "W3", floor: -1, department: nil),
    ]
    for ward in wards { context.insert(ward) }
    let nurses = [
      Nurse(name: "Grete", shift: .day, languages: ["no", "en"]),
      Nurse(name: "Hans", shift: .night, languages: Set(["de"])),
      Nurse(name: "Ine", shift: .evening, languages: [String]()),
    ]
    for nurse in nurses { context.insert(nurse) }
    nurses[0].grade = 5
    nurses[0].otherShifts = [.evening, .night]
    nurses[0].wards = [wards[0], wards[1]]
    wards[1].nurses.append(nurses[1])
    let beds = wards[0].beds.sorted { $0.number < $1.number }
    for (index, number) in [3, 6, 9].enumerated() {
      let admission = Admission(
        patient: patients[number], bed: index < 2 ? beds[index] : nil, admittedAt: day(number))
      admission.temperatures = [36.5, 37.25 + Float(index)]
      admission.remarks = index == 1 ? ["sleeps well", "eats little"] : nil
      admission.dischargedAt = index == 0 ? day(number + 4) : nil
      context.insert(admission)
    }
  }

  private func addCorrespondence() {
    for index in 0..<4 {
      let referral = Referral(
        reason: "Opinion \(index)", createdAt: day(index), from: doctors[index], to: doctors[(index * 2 + 1) % 5],
        patient: patients[index * 2 + 1])
      referral.acceptedAt = index == 2 ? nil : day(index + 1)
      context.insert(referral)
    }
    let rota = Conversation(subject: "Rota in June", participants: [doctors[0], doctors[1], doctors[4]])
    let supplies = Conversation(subject: "Supplies", participants: [doctors[1]])
    rota.isPinned = true
    for conversation in [rota, supplies] { context.insert(conversation) }
    for index in 0..<5 {
      let note = Note(text: "Message \(index)", sentAt: day(index, hour: 10), author: doctors[index % 2])
      note.mentions = index == 3 ? ["Ada", "Bo"] : []
      note.conversation = index < 3 ? rota : supplies
      context.insert(note)
    }
    for index in 0..<3 {
      let entry = AuditEntry(
        id: uuid(900 + index), subject: "patient \(101 + index)", action: index == 0 ? "create" : "change",
        happenedAt: day(index), checksum: UInt64.max - UInt64(index) * 3)
      entry.changes = index == 0 ? [:] : ["fields": index, "pages": 2]
      context.insert(entry)
    }
  }
}
