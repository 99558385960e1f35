import Foundation
import Testing
import Trellis

@Suite struct ConfigurationBehaviourTests {
  @Test func S048_aConfigurationIsIdentifiedByItsURL() {
    let url = URL(filePath: "/tmp/harbours.store")
    let configuration = ModelConfiguration("harbours", url: url)
    let identity: ModelConfiguration.ID = configuration.id
    #expect(identity == url && configuration.url == url)
  }
}
