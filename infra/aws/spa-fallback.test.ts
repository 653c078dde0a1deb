import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, it } from 'vitest'
import { spaFallbackCode } from './spa-fallback.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

function createSite(...files: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'site-'))
  folders.push(folder)
  mkdirSync(join(folder, 'assets'))
  mkdirSync(join(folder, '.vite'))
  for (const file of files) writeFileSync(join(folder, file), '')
  return folder
}

/** Runs the code as CloudFront would. */
function run(uri: string, { host, domainName }: { host: string; domainName?: string }): unknown {
  const files = createSite('index.html', 'favicon.svg', 'theme.js', 'assets/index-abc.js')
  const event = {
    request: {
      method: 'GET',
      uri,
      // in CloudFront's format, with the original encoding
      querystring: {
        c: { value: '1' },
        d: { value: 'a%20b', multiValue: [{ value: 'a%20b' }, { value: '' }] },
      },
      headers: { host: { value: host } },
    },
  }
  return runInNewContext(`${spaFallbackCode(files, domainName)}; handler(${JSON.stringify(event)})`)
}

/** The file of the site for a request. */
function rewriteUri(uri: string, at: Parameters<typeof run>[1] = { host: 'd111.cloudfront.net' }): unknown {
  const request = run(uri, at)
  expect(request).toMatchObject({ method: 'GET', querystring: { c: { value: '1' } } })
  return (request as { uri: unknown }).uri
}

describe('spaFallbackCode', () => {
  it.each([
    '/',
    '/auth',
    '/integrations',
    '/settings/',
    '/oauth/callback',
    '/oauth/document-callback',
    '/oauth/server-callback/0123456789abcdef0123456789abcdef',
    '/no/such/page',
    '/c/1.5',
    '/index.html.bak',
  ])('INFRA-10 serves the page for %s', (uri) => {
    expect(rewriteUri(uri)).toBe('/index.html')
  })

  it.each(['/index.html', '/favicon.svg', '/theme.js', '/config.json', '/assets/index-abc.js'])(
    'INFRA-10 serves the file %s',
    (uri) => {
      expect(rewriteUri(uri)).toBe(uri)
    },
  )

  it.each(['/SHARED', '/%73hared', '//shared', '//%53HARED/x'])(
    'redirects %s to the page of shared conversations, whose header keeps search engines away',
    (uri) => {
      expect(run(uri, { host: 'd111.cloudfront.net' })).toMatchObject({
        statusCode: 302,
        headers: { location: { value: '/shared' } },
      })
    },
  )

  it.each(['/shared', '/shared/x', '/%', '/%zz', '/c/shared'])('does not redirect %s', (uri) => {
    expect(rewriteUri(uri)).toBe('/index.html')
  })

  it('INFRA-10 a missing file below a folder stays missing', () => {
    expect(rewriteUri('/assets/gone.js')).toBe('/assets/gone.js')
  })

  it('hides internal files of the build', () => {
    expect(rewriteUri('/.vite/manifest.json')).toBe('/index.html')
  })

  it('fits into a CloudFront function', () => {
    expect(spaFallbackCode(createSite('index.html'), 'chat.example.org').length).toBeLessThan(10_240)
  })

  const domainName = 'chat.example.org'
  const otherHost = { host: 'd111.cloudfront.net', domainName }

  it('INFRA-10 redirects the page to the site’s own address from any other', () => {
    expect(run('/integrations', otherHost)).toEqual({
      statusCode: 302,
      statusDescription: 'Found',
      headers: { location: { value: 'https://chat.example.org/integrations?c=1&d=a%20b&d=' } },
    })
  })

  it('INFRA-10 serves the page at the site’s own address, and files at any', () => {
    expect(rewriteUri('/integrations', { host: domainName, domainName })).toBe('/index.html')
    expect(rewriteUri('/assets/index-abc.js', otherHost)).toBe('/assets/index-abc.js')
  })

  it('refuses a folder without a built site, and says what to do', () => {
    expect(() => spaFallbackCode(createSite())).toThrow('run "npm run build" first')
    expect(() => spaFallbackCode(join(tmpdir(), 'nowhere-at-all'))).toThrow('run "npm run build" first')
  })
})
