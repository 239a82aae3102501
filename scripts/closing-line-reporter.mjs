/** Prints the plain count of tests as the very last line of a run, for people and for CI. */
export default class ClosingLineReporter {
  onTestRunEnd(modules, unhandledErrors) {
    let passed = 0
    let skipped = 0
    let failed = unhandledErrors.length
    for (const module of modules) {
      failed += module.errors().length
      // Errors of hooks, which leave their tests skipped.
      for (const suite of module.children.allSuites()) failed += suite.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        else if (state === 'skipped') skipped++
        else failed++
      }
    }
    const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
    process.once('exit', () => process.stdout.write(`${line}\n`))
  }
}
