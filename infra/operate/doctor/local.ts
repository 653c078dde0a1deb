import { readFileSync } from 'node:fs'
import { readConfig, type Config } from '../../aws/config.ts'
import { OperatorError } from '../../aws/operator-error.ts'
import type { checkSiteBuild } from '../../aws/site-build.ts'
import { contextNode, type Context } from '../stage.ts'
import { ok, problem, warning, type Finding } from './finding.ts'

const { engines } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  engines: { node: string }
}

/** Checks that package.json allows this Node version. */
export function checkNode(version = process.versions.node, allowed = engines.node): Finding {
  const least = Number(/\d+/.exec(allowed)?.[0])
  return Number.parseInt(version) >= least
    ? ok(`${version}.`)
    : problem(
        `${version} is too old, ${allowed} is needed.`,
        'Install a newer Node (https://nodejs.org) and run npm install again.',
      )
}

/** The configuration if it is valid, and the finding about it. */
export function checkConfig(context: Context): { config: Config | undefined; finding: Finding } {
  try {
    const config = readConfig(contextNode(context))
    return { config, finding: ok(`valid; the stacks are called ${config.prefix}-….`) }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return {
      config: undefined,
      finding: problem(error.message, 'Correct these keys; docs/deploy.md lists all of them.'),
    }
  }
}

const siteFindings = {
  current: ok('built, and newer than its sources.'),
  old: warning('built before its sources changed.', 'npm run build (npm run deploy does it for you)'),
  missing: warning('not built yet.', 'npm run build (npm run deploy does it for you)'),
}

/** Checks that the built page is newer than its sources. */
export const checkSite = (build: Awaited<ReturnType<typeof checkSiteBuild>>): Finding => siteFindings[build]
