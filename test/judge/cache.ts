import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Ignored by git. What judges install stays here for the next run. */
const cache = join(import.meta.dirname, '../../node_modules/.cache/judge')

/** @returns whether the command ended well; its output is for the person who runs the judge */
const run = (command: string, args: readonly string[]) =>
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0

/**
 * Installs an npm package of this version, unless it is there.
 * @returns its folder; undefined if it could not be installed
 */
export function installPackage(name: string, version: string): string | undefined {
  const prefix = join(cache, `${name.replace(/\W+/g, '-')}-${version}`)
  const folder = join(prefix, 'node_modules', name)
  if (existsSync(folder)) return folder
  mkdirSync(prefix, { recursive: true })
  const options = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--prefix', prefix]
  return run('npm', ['install', ...options, `${name}@${version}`]) ? folder : undefined
}

/**
 * Installs a Python package of this version into a virtual environment of its own, unless it is there.
 * @param command one of its commands
 * @param others requirements that its own leave open
 * @returns the command's path; undefined without Python, or if the package could not be installed
 */
export function installPython(
  name: string,
  version: string,
  command: string,
  ...others: readonly string[]
): string | undefined {
  const folder = join(cache, `${name.replace(/\W+/g, '-')}-${version}`)
  const path = join(folder, 'bin', command)
  if (existsSync(path)) return path
  mkdirSync(cache, { recursive: true })
  const isInstalled =
    run('python3', ['-m', 'venv', folder]) &&
    run(join(folder, 'bin/pip'), ['install', '-q', `${name}==${version}`, ...others])
  return isInstalled ? path : undefined
}
