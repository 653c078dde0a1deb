import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { sandboxPage } from './app-sandbox-page.ts'
import { appSandboxCode } from './app-sandbox.ts'

interface FunctionResponse {
  statusCode: number
  headers: Record<string, { value: string }>
  body: { encoding: string; data: string }
}
/** Runs the code as CloudFront would. */
const respond = (domainName?: string) =>
  runInNewContext(`${appSandboxCode(domainName)}; handler({ request: { uri: '/any' } })`) as FunctionResponse

it('DEC-185 every address of the second origin is the sandbox, which only the page may embed', () => {
  const { statusCode, headers, body } = respond('chat.example.com')
  expect(statusCode).toBe(200)
  expect(body).toEqual({ encoding: 'text', data: sandboxPage })
  const policy = headers['content-security-policy']?.value
  expect(policy).toMatch(/; frame-ancestors https:\/\/chat\.example\.com$/)
  expect(policy).toContain('sandbox allow-scripts allow-same-origin allow-forms; ')
  for (const [name, value] of [
    ['default-src', "'none'"],
    ['frame-src', "'none'"],
    ['form-action', "'none'"],
    ['connect-src', 'https: wss:'],
  ])
    expect(policy).toContain(`; ${name} ${value}; `)
  expect(headers['permissions-policy']?.value).toContain('camera=(), ')
  expect(headers['strict-transport-security']).toBeDefined()
})

it('without a domain only distributions may embed it', () => {
  expect(respond().headers['content-security-policy']?.value).toMatch(
    /; frame-ancestors https:\/\/\*\.cloudfront\.net$/,
  )
})

it('the code fits into a CloudFront function', () => {
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html: 10 KB
  expect(Buffer.byteLength(appSandboxCode('a-long-name.of-a-deployment.example.com'))).toBeLessThan(10_240)
})
