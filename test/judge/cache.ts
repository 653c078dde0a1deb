import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Ignored by git. What judges install stays here for the next run. */
const cache = join(import.meta.dirname, '../../node_modules/.cache/judge')

/** @returns whether the command ended well; its output is for the person who runs the judge */
const run = (command: string, args: readonly string[]) =>
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0

type Command = readonly [command: string, ...args: string[]]

/**
 * Prepares a folder once. One whose preparation was interrupted is prepared again.
 * @param optional commands that may fail
 * @returns whether it is ready
 */
function prepare(folder: string, commands: readonly Command[], optional: readonly Command[] = []): boolean {
  const marker = join(folder, 'ready')
  if (existsSync(marker)) return true
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  if (!commands.every(([command, ...args]) => run(command, args))) return false
  for (const [command, ...args] of optional) run(command, args)
  writeFileSync(marker, '')
  return true
}

const toFolder = (name: string, version: string) =>
  join(cache, `${name.replace(/\W+/g, '-').replace(/^-|-$/g, '')}-${version}`)

/**
 * Installs an npm package of this version, unless it is there.
 * @param options `hasScripts`: its installation runs scripts, such as a compiler; `also` are further packages with their versions
 * @returns its folder; undefined if it could not be installed
 */
export function installPackage(
  name: string,
  version: string,
  { hasScripts = false, also = [] }: { hasScripts?: boolean; also?: readonly string[] } = {},
): string | undefined {
  const prefix = toFolder(name, version)
  const options = ['--no-audit', '--no-fund', '--no-save', ...(hasScripts ? [] : ['--ignore-scripts'])]
  const packages = [`${name}@${version}`, ...also]
  const isReady = prepare(prefix, [['npm', 'install', ...options, '--prefix', prefix, ...packages]])
  return isReady ? join(prefix, 'node_modules', name) : undefined
}

/**
 * Installs a Python package of this version into a virtual environment of its own, unless it is there.
 * @param command one of its commands
 * @param options `also` are further packages with their versions; without an `optional` one it is ready, too; `python` is the interpreter
 * @returns the command's path; undefined without Python, or if the package could not be installed
 */
export function installPython(
  name: string,
  version: string,
  command: string,
  {
    also = [],
    optional = [],
    python = 'python3',
  }: { also?: readonly string[]; optional?: readonly string[]; python?: string } = {},
): string | undefined {
  const folder = toFolder(name, version)
  const install = (...packages: string[]): Command => [join(folder, 'bin/pip'), 'install', '-q', ...packages]
  const isReady = prepare(
    folder,
    [[python, '-m', 'venv', folder], install(`${name}==${version}`, ...also)],
    optional.map((one) => install(one)),
  )
  return isReady ? join(folder, 'bin', command) : undefined
}
