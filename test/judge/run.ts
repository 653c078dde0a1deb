import { openReport, type Report } from './report.ts'

/**
 * `npm run judge [-- <judge> …]`: lets software that others wrote judge the product: all judges that can run here, or one with its
 * arguments. A line for each thing that was judged; one that needs what is not installed counts as skipped, and says what. Exits with 1 if
 * something failed, or with `--strict` was skipped, with 2 for a judge that does not exist. CONTRIBUTING.md explains the judges.
 */
const judges: Readonly<
  Record<string, () => Promise<{ judge: (report: Report, args: readonly string[]) => Promise<void> }>>
> = {
  runtime: () => import('./runtime.ts'),
  models: () => import('./models.ts'),
  mcp: () => import('./mcp.ts'),
  files: () => import('./files.ts'),
  tables: () => import('./tables.ts'),
  aws: () => import('./aws.ts'),
  browsers: () => import('./browsers.ts'),
}

const given = process.argv.slice(2)
const isStrict = given.includes('--strict')
const [wanted, ...args] = given.filter((argument) => argument !== '--strict')
const print = (text: string) => process.stdout.write(text)

if (wanted !== undefined && !(wanted in judges)) {
  process.stderr.write(`There is no judge ${wanted}; there are ${Object.keys(judges).join(', ')}.\n`)
  process.exitCode = 2
} else {
  const report = openReport(print)
  for (const [name, load] of Object.entries(judges)) {
    if (wanted !== undefined && wanted !== name) continue
    print(`\n${name}\n`)
    const { judge } = await load()
    await judge(report, args).catch((error: unknown) => {
      report.fail(name, error instanceof Error ? (error.stack ?? error.message) : String(error))
    })
  }
  print(`\n${report.summary()}\n`)
  process.exitCode = report.countFailed() + (isStrict ? report.countSkipped() : 0) > 0 ? 1 : 0
}
