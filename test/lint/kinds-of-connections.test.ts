import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/**
 * What is connected is a `Connection` with a `Server` (functions/tools/servers), and what is being connected a `ConnectionTarget`. Only what
 * makes them may ask whether an id is a built-in integration: all else would treat the kinds of connections differently.
 */
const makers = [
  'functions/integrations/connection-target.ts',
  // whose tokens a stored credential holds
  'functions/integrations/credentials/authorization-server.ts',
  'functions/providers/built-in.ts',
  'functions/tools/servers/load-connections.ts',
]

it('only what makes connections asks whether an id is a built-in integration', () => {
  const root = join(import.meta.dirname, '../..')
  const files = globSync('functions/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  const found = files.filter((file) => /\bfindProvider\(/.test(readFileSync(join(root, file), 'utf8')))
  expect(found.toSorted()).toEqual(
    [
      ...makers,
      // a function of the same name, about providers of identities
      'functions/sign-in/provider-accounts.ts',
    ].toSorted(),
  )
})
