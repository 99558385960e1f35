import SampleTrips

Trips.main()
