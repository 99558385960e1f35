import Foundation
import Trellis

// A second process for tests. Its arguments select the operation.
//
//     HistoryLane save STORE AUTHOR COUNT    saves a number of accounts, one by one
//     HistoryLane edit STORE AUTHOR NAME     edits the account with the name
//     HistoryLane delete STORE AUTHOR NAME   deletes the account with the name
//     HistoryLane churn STORE SEED           saves until it is killed
//     HistoryLane race STORE SEED COUNT      inserts and deletes related models in COUNT rounds
//     HistoryLane flow - -                   prints which parts of the runtime call a custom store during saves
//     HistoryLane group GROUP NAME           saves an account to the default store of a group and prints all names

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3 else {
  print("HistoryLane save|edit|delete|churn STORE …")
  exit(2)
}
if arguments[0] == "group" {
  print(try Ledger.insert(arguments[2], inGroup: arguments[1]))
  exit(0)
}
if arguments[0] == "race" {
  var race = try Race(URL(fileURLWithPath: arguments[1]), seed: UInt64(arguments[2]) ?? 1)
  try race.run(rounds: Int(arguments[3]) ?? 0)
  print("\(race.saved) saved, \(race.refused) refused")
  exit(0)
}
if arguments[0] == "flow" {
  let flow = SavingFlow()
  try flow.run()
  print(flow.lines.joined(separator: "\n"))
  exit(0)
}
let container = try Ledger.container(URL(fileURLWithPath: arguments[1]))
let context = ModelContext(container)
context.author = arguments[2]
switch (arguments[0], arguments.dropFirst(3).first) {
case ("save", let count?):
  for number in 0..<(Int(count) ?? 0) {
    context.insert(Account(name: "\(arguments[2]) \(number)"))
    try context.save()
  }
case ("edit", let name?):
  for account in try context.fetch(FetchDescriptor<Account>(predicate: #Predicate { $0.name == name })) {
    account.edition += 1
  }
  try context.save()
case ("delete", let name?):
  try context.delete(model: Account.self, where: #Predicate { $0.name == name })
  try context.save()
case ("churn", _):
  var churn = Churn(container, seed: UInt64(arguments[2]) ?? 1)
  try churn.run()
default: exit(2)
}
