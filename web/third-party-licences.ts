import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'

const packageFolderPattern = /^[^\0]*\/node_modules\/(?:@[^/]+\/)?[^/]+/
const licenceFilePattern = /^(licen[cs]e|copying|notice)[^.]*(\.(md|txt))?$/i

interface PackageFile {
  name: string
  version: string
  license?: string
  repository?: string | { url: string }
}

/**
 * Writes a list of the npm packages in the page and in the separate builds, with their licences.
 * @returns `collect` for each build, and `write` for the page's own
 */
export function thirdPartyLicences(): { collect: Plugin; write: Plugin } {
  const folders = new Set<string>()
  let outDir: string
  return {
    collect: {
      name: 'collect-third-party-packages',
      apply: 'build',
      generateBundle(_, bundle) {
        for (const output of Object.values(bundle))
          // fonts of style sheets are not modules
          for (const file of output.type === 'chunk' ? output.moduleIds : output.originalFileNames) {
            const [folder] = packageFolderPattern.exec(resolve(this.environment.config.root, file)) ?? []
            if (folder !== undefined) folders.add(folder)
          }
      },
    },
    write: {
      name: 'write-third-party-licences',
      apply: 'build',
      configResolved({ root, build }) {
        outDir = resolve(root, build.outDir)
      },
      // after the other builds
      async closeBundle(error) {
        if (error) return
        const entries = await Promise.all([...folders].toSorted().map(describePackage))
        await writeFile(join(outDir, 'licences.txt'), [introduction, ...entries].join(`\n\n${line}\n\n`))
      },
    },
  }
}

const introduction = 'This page contains the packages below, each under its own licence.'
const line = '-'.repeat(80)

/** @throws Error for a package without a licence: it may not be shipped */
async function describePackage(folder: string): Promise<string> {
  const description = await readFile(join(folder, 'package.json'), 'utf8')
  const { name, version, license, repository } = JSON.parse(description) as PackageFile
  const source = typeof repository === 'object' ? repository.url : repository
  const files = (await readdir(folder)).filter((file) => licenceFilePattern.test(file))
  if (license === undefined && files.length === 0) throw new Error(`${name} names no licence`)
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const head = `${name} ${version}${license === undefined ? '' : ` (${license})`}`
  return [head, ...(source === undefined ? [] : [source]), ...texts.map((text) => text.trim())].join('\n\n')
}
