import Foundation
import StoreConformance
import Testing
import Trellis

@Test(arguments: ConformanceCheck.all)
func myStoreConforms(check: ConformanceCheck) async throws {
  let file = URL.temporaryDirectory.appending(path: "\(UUID()).mine")
  try await StoreConformance { MyConfiguration(url: file) }.verify(check)
}
