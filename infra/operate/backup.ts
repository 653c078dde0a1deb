import { productVersion } from '../aws/product-version.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { openBackupStore } from './backup/backup-store.ts'
import { createBackup } from './backup/create-backup.ts'
import { forgetPerson } from './backup/forget-person.ts'
import { verifyBackup } from './backup/verify-backup.ts'
import { describeManifest } from './backup/texts.ts'
import { printLine, runCommand, targetOptions, wrongUsage } from './command.ts'
import { findStores } from './stage.ts'

/** `npm run backup`: an interrupted one goes on when the command is run again. docs/backup.md says what is in it. */
const options = {
  out: { type: 'string', multiple: true, default: [] as string[] },
  verify: { type: 'boolean', default: false },
  forget: { type: 'string' },
  ...targetOptions,
} as const

await runCommand('backup', { options }, async ({ values }) => {
  const { out, verify, forget } = values
  const [place] = out
  if (place === undefined || (verify && forget !== undefined)) throw wrongUsage('backup')
  if (forget !== undefined) return forgetIn(out, forget)
  if (out.length > 1) throw new OperatorError('A backup is written to one place: give one --out.')
  const store = openBackupStore(place)
  if (verify) {
    const manifest = await verifyBackup(store)
    return printLine(
      `Everything that the manifest names is there and unchanged.\n${describeManifest(manifest)}`,
    )
  }
  const stores = await findStores(values)
  const manifest = await createBackup(stores, store, {
    product: productVersion,
    now: () => new Date(),
    report: printLine,
  })
  printLine(describeManifest(manifest))
})

/** Erases a person from each of these backups. */
async function forgetIn(places: readonly string[], whom: string): Promise<number> {
  let unknown = 0
  for (const place of places) {
    const forgotten = await forgetPerson(openBackupStore(place), whom)
    if (!forgotten) unknown += 1
    printLine(
      forgotten
        ? `${place}: ${forgotten.rows} rows and ${forgotten.objects} files of ${whom} are erased.`
        : `${place}: there is no account of ${whom}.`,
    )
  }
  return unknown === places.length ? 1 : 0
}
