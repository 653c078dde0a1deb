import { commands } from './admin/commands.ts'
import { openAdministration } from './admin/open-administration.ts'
import { printLine, runCommand, targetOptions, wrongUsage } from './command.ts'
import { findDeployment, findTable } from './stage.ts'

/** `npm run admin`: each change is in the audit log. */
const options = {
  email: { type: 'string' },
  id: { type: 'string' },
  query: { type: 'string' },
  set: { type: 'string' },
  ...targetOptions,
} as const

await runCommand('admin', { options, allowPositionals: true }, async ({ values, positionals }) => {
  const [name = '', ...others] = positionals
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || others.length > 0) throw wrongUsage('admin')
  const admin = openAdministration(await findDeployment(values), await findTable(values))
  printLine(await command({ admin, options: values }))
})
