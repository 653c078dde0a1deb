import { expect, it } from 'vitest'
import { requireBuildablePath } from './buildable-path.ts'

it.each(['/home/ann/C#/juno/web', 'C:\\Users\\Ann\\#1\\juno\\web', '/home/ann/why?/juno/web'])(
  'says that the page cannot be built in %s (https://github.com/SalesforceCommerceCloud/pwa-kit/issues/830)',
  (folder) => {
    expect(() => requireBuildablePath(folder)).toThrow(
      /^The page cannot be built in a folder with [#?] in its path\. Move it: /,
    )
  },
)

it.each([
  "/home/J\u00fcrgen M\u00fcller/Tom & Co's (x)/50%20/juno/web",
  '/home/ann/\u65e5\u672c\u8a9e/juno/web',
])('builds it in %s', (folder) => expect(() => requireBuildablePath(folder)).not.toThrow())
