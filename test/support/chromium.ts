import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium, type Browser } from 'playwright-core'
import { lateMs } from './late-waits.ts'

/**
 * The Chromium of the browser tests comes inside an npm package, made for AWS Lambda: a compressed binary for Linux x64, a
 * font, and the few shared libraries Lambda lacks. Here it is made to run on any Linux x64 machine with nothing installed.
 */

const run = promisify(execFile)

const packageFolder = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..')

interface Chromium {
  readonly executablePath: string
  /** further variables for the browser's process */
  readonly env: Record<string, string>
}

/** Starts the browser, without a window. */
export async function launchChromium(): Promise<Browser> {
  const { executablePath, env } = await prepareChromium()
  return chromium.launch({
    executablePath,
    headless: true,
    slowMo: lateMs,
    env: { ...process.env, ...env },
    // The package's own arguments switch web security off and run everything in one process, so that closing a page ends the browser.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-domain-reliability',
      '--no-pings',
      '--font-render-hinting=none',
      // neither the browser nor a page may send requests to other machines
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
}

/**
 * Unpacks the browser once per version (about 220 MB, 2 s) below node_modules and finds out what it needs to start here.
 * With BROWSER_PATH set (other platforms), that Chromium is used as it is.
 * @throws when the browser does not start, with its error message
 */
export async function prepareChromium(): Promise<Chromium> {
  const own = process.env['BROWSER_PATH']
  if (own) return { executablePath: own, env: {} }

  const folder = await unpackLibraries()
  const executablePath = join(folder, 'chromium')
  const env = { FONTCONFIG_FILE: await fontConfiguration(folder) }
  if (!(await findStartError(executablePath, env))) return { executablePath, env }

  // The machine lacks libnss3, libnspr4 or libexpat. The package carries them, but uses them on Lambda only.
  const libraries = [join(folder, 'al2023/lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':')
  const withLibraries = { ...env, LD_LIBRARY_PATH: libraries }
  const startError = await findStartError(executablePath, withLibraries)
  if (startError) throw new Error(`the packaged Chromium does not start here: ${startError}`)
  return { executablePath, env: withLibraries }
}

/** The browser's error message when it cannot start, otherwise undefined. */
async function findStartError(
  executablePath: string,
  env: Record<string, string>,
): Promise<string | undefined> {
  try {
    await run(executablePath, ['--version'], { env: { ...process.env, ...env } })
    return undefined
  } catch (error) {
    return String(error)
  }
}

/**
 * The package unpacks into the system's temporary folder and accepts files that another process has half written. So it unpacks in
 * a separate process with its own temporary folder, which is then renamed.
 */
async function unpackLibraries(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string
  }
  const cache = join(packageFolder, '../../.cache')
  const folder = join(cache, `chromium-${version}`)
  if (await exists(folder)) return folder

  await mkdir(cache, { recursive: true })
  const staging = await mkdtemp(join(cache, 'unpacking-'))
  try {
    const script = `const { default: chromium, inflate } = await import('@sparticuz/chromium')
      await chromium.executablePath()
      await inflate(process.argv[1])`
    const archive = join(packageFolder, 'bin/al2023.tar.br')
    await run(process.execPath, ['--input-type=module', '--eval', script, archive], {
      cwd: import.meta.dirname,
      env: { ...process.env, TMPDIR: staging },
    })
    await rename(staging, folder)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    // another worker was first
    if (!(await exists(folder)))
      throw new Error('the packaged Chromium could not be unpacked', { cause: error })
  }
  return folder
}

/** The package's own font configuration names Lambda's folders; without any font, pages render without text. */
async function fontConfiguration(folder: string): Promise<string> {
  const file = join(folder, 'fonts.conf')
  const text = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`
  // a folder that was moved has the configuration of where it was, and the browser would create that folder again
  if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) {
    const draft = `${file}.${process.pid}`
    await writeFile(draft, text)
    await rename(draft, file)
  }
  return file
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
