/** Runs once when the process is told to stop, then ends it. */
export function onStopSignal(stop: () => Promise<void>): void {
  let stopping = false
  const handle = () => {
    if (stopping) return
    stopping = true
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`marquee: stopping failed: ${(error as Error).stack}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', handle)
  process.on('SIGINT', handle)
}
