import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod'

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({ optionalDependencies: z.record(z.string(), z.string()).default({}) }),
  ),
})

/**
 * `npm install` on one platform may leave out the binaries of the others (https://github.com/npm/cli/issues/4828): the linter, the
 * formatter and the build of the page would not start there. To repair: remove node_modules and run `npm install`.
 */
it('the lock file has the packages of every platform', () => {
  const { packages } = lockFile.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')))
  /** As Node finds a package: in the folder, or in one above. */
  const isFound = (folder: string, name: string): boolean =>
    join(folder, 'node_modules', name) in packages || (folder !== '.' && isFound(dirname(folder), name))
  const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isFound(folder === '' ? '.' : folder, name))
      .map((name) => `${folder}: ${name}`),
  )
  expect(missing).toEqual([])
})
