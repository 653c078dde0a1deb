import { sumCounts, type Manifest } from './manifest.ts'
import type { RestoreResult } from './restore-backup.ts'

/** What is in a backup, and what is not. */
export function describeManifest(manifest: Manifest): string {
  const { users, groups, rows, objects, left_out: leftOut } = manifest
  const names = Object.entries(leftOut).map(([name, count]) => `${count} ${name}`)
  return [
    `Complete, from ${manifest.begun_at} to ${manifest.ended_at}: ${users} accounts, ${groups} groups, ${sumCounts(rows)} rows, ${objects.count} files (${objects.bytes} bytes).`,
    `Not in it: passwords${names.length > 0 ? `, ${names.join(', ')}` : ''}.`,
    ...(rows['unknown']
      ? [
          `${rows['unknown']} rows are of no kind that this version knows: they are in it, and would not be restored.`,
        ]
      : []),
  ].join('\n')
}

const outcomes = {
  create: 'created',
  joined: 'created by their identity provider: they are in the groups of the backup',
  found: 'there already: they keep the groups that they have',
  restored: 'left as they are: an earlier run of this backup has given them everything',
  provider: 'wait for the next sign-in with their identity provider; then run the command again with --merge',
  unconfirmed: 'left out, because their address was never confirmed',
  erased: 'left out, because they were erased',
  taken:
    'left out, because somebody has begun to sign up with their address: delete that account, and run the command again',
} as const satisfies Record<keyof RestoreResult['accounts'], string>

/** What a restoration has done, or would do. */
export function describeResult(
  { accounts, administrators, rows, objects }: RestoreResult,
  dryRun: boolean,
): string {
  const lines = Object.entries(outcomes).flatMap(([name, text]) => {
    const count = accounts[name as keyof typeof outcomes]
    return count > 0 ? [`Accounts: ${count} ${text}.`] : []
  })
  return [
    ...(dryRun ? ['This is what would be done. Nothing was changed.'] : []),
    ...lines,
    ...(administrators.length > 0 ? [`Administrators by it: ${administrators.join(', ')}.`] : []),
    `Rows: ${rows.written} written, ${rows.present} were there, ${rows.earlier} of an earlier run, ${rows.expired} had expired, ${rows.ownerless} of people without an account, ${rows.unknown} of unknown kinds.`,
    `Files: ${objects.written} written, ${objects.present} were there, ${objects.earlier} of an earlier run, ${objects.ownerless} of people without an account.`,
  ].join('\n')
}
