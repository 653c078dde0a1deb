import { AppError } from '../../functions/platform/errors.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { commands } from './admin/commands.ts'
import { openAdministration } from './admin/open-administration.ts'
import { loadContext } from './cdk-context.ts'
import { fail, reportOperatorError } from './cli-error.ts'
import { findDeployment } from './find-deployment.ts'
import { findTable } from './find-table.ts'
import { printLine } from './print-line.ts'
import { readArguments, targetOptions, formatSynopsis } from './arguments.ts'

/**
 * `npm run admin -- grant-admin --email ann@example.org -c stage=live`: what administrators do on the page, with the operator's
 * credentials; it also creates the first administrator. Each change is in the audit log.
 */

const options = {
  email: { type: 'string' },
  id: { type: 'string' },
  query: { type: 'string' },
  set: { type: 'string' },
  ...targetOptions,
} as const

try {
  await main()
} catch (error) {
  if (error instanceof AppError) fail(error.userMessage)
  else reportOperatorError(error)
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments('admin', { options, allowPositionals: true })
  const [name = '', ...others] = positionals
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || others.length > 0) throw new OperatorError(formatSynopsis('admin'))
  const context = loadContext(values.context ?? [])
  const deployment = await findDeployment(context, values)
  const admin = openAdministration(deployment, await findTable(context, values))
  printLine(await command({ admin, deployment, options: values }))
}
