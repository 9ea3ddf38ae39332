plugins {
    kotlin("jvm") version "2.1.0"
    application
}

repositories { mavenCentral() }

dependencies {
    implementation("io.javalin:javalin:6.+")
    implementation("org.slf4j:slf4j-simple:2.+")
    testImplementation(kotlin("test"))
}

application { mainClass.set("example.roster.AppKt") }
