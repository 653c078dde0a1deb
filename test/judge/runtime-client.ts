import { join } from 'node:path'
import { installPackage } from './cache.ts'

/** The client is built when it is installed, with cmake, make and g++, so it is no dependency: npm fetches it once. */
export const runtimeClient = 'aws-lambda-ric'
const version = '4.0.2'

/** @returns the path of the client's module; undefined if it could not be built */
export function installRuntimeClient(): string | undefined {
  const installed = process.env['LAMBDA_RIC']
  if (installed) return join(installed, 'node_modules', runtimeClient, 'index.mjs')
  const folder = installPackage(runtimeClient, version, { hasScripts: true })
  return folder && join(folder, 'index.mjs')
}
