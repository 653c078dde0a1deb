import { readFileSync } from 'node:fs'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** The version in package.json, which the health route, config.json and the MCP client report. */
export const productVersion = version
