import { expect, it } from 'vitest'
import { parseReadme } from './readme.ts'
import { httpsLink, plainLine } from '../platform/untrusted-text.ts'

const readme = `# Weather server
<!-- mcp-name: io.example/weather -->

![badge](https://img.example/x.svg)

Tells the **weather** of [any place](https://example.com/very/long_(and_more)).

> [!CAUTION]
> It calls the internet.

## [Quick](https://x.example) Setup

1. Get a key.
2. Set \`WEATHER_API_KEY\` and WEATHER_CLIENT_ID.

### On Windows

- Use PATH.

## Usage

Set NOT_A_STEP_TOKEN.

\`\`\`sh
# Installation
export WEATHER_API_KEY=<YOUR_TOKEN> weather_api_key xWEATHER_TOKENx
\`\`\`

#### Configuration ####
<details>Edit the file.</details>
`

it('REG-32 finds set-up sections at any level, but not inside code', () => {
  expect(parseReadme(readme).setupInstructions).toEqual([
    'Get a key.',
    'Set WEATHER_API_KEY and WEATHER_CLIENT_ID.',
    'Use PATH.',
    'Edit the file.',
  ])
})

it('REG-33 finds names of credentials, each once, and no similar words', () => {
  expect(parseReadme(readme).requiredCredentials).toEqual([
    'WEATHER_API_KEY',
    'WEATHER_CLIENT_ID',
    'NOT_A_STEP_TOKEN',
  ])
})

it('takes the first sentence as the description', () => {
  expect(parseReadme(readme).description).toBe('Tells the weather of any place.')
})

it.each([
  '> A note to readers.',
  '| A | table |',
  '<p align="center">An image</p>',
  '[Docs](https://example.com) and more',
  '**[Docs](https://example.com)** and more',
  '![A badge](https://example.com/x.svg) passing',
])('skips a notice, table, markup or list of links for the description: %s', (line) => {
  expect(parseReadme(`# Weather\n\n${line}\n\nTells the weather.`).description).toBe('Tells the weather.')
})

it('DEC-069 returns plain text of bounded length from any input', () => {
  const hostile = `# x\n\n## Setup\n\n<script>alert(1)</script>\n${'a'.repeat(1_000)}\n${'- step\n'.repeat(500)}${'[x]('.repeat(50_000)}`
  const { setupInstructions } = parseReadme(hostile)
  expect(setupInstructions).toHaveLength(12)
  expect(setupInstructions[0]).toBe('alert(1)')
  expect(setupInstructions[1]).toHaveLength(300)
  expect(parseReadme('')).toEqual({ description: undefined, setupInstructions: [], requiredCredentials: [] })
})

it('DEC-069 cuts text, and accepts only https links', () => {
  expect(plainLine('a\u202eb\u0000c\n d', 10)).toBe('a b c d')
  expect(plainLine('🙂🙂🙂', 4)).toBe('🙂…')
  expect(httpsLink('https://example.com/a')).toBe('https://example.com/a')
  for (const link of [
    'http://example.com',
    'javascript:alert(1)//https://',
    'https://a:b@example.com',
    'x',
    undefined,
    7,
    // cutting it would change its target
    `https://example.com/${'x'.repeat(2_000)}`,
  ])
    expect(httpsLink(link)).toBeUndefined()
})
