/** A longer block stays code, so that the page need not parse it. The rows that a chart may have (`chartLimits`) are shorter. */
const maxChartCharacters = 2_000_000

/** Also matches names such as `language-vega-lite`, and the media types of notebooks. */
const chartLanguage = /vega[-_ ]?lite|^vl$/
const jsonLanguages = new Set(['json', 'jsonc', 'json5', ''])
const chartSchema = '/schema/vega-lite/'

/**
 * Whether a block of code is a chart in Vega-Lite. Models name it in several ways: a block of JSON is one if its `$schema` says so; a block of
 * `vega` is one unless its content shows that it is Vega, the language that Vega-Lite is compiled to.
 * @param language the first word of the fence
 */
export function isChart(language: string, code: string): boolean {
  if (code.length > maxChartCharacters) return false
  const name = language.toLowerCase()
  if (chartLanguage.test(name)) return true
  if (name === 'vega') return code.includes(chartSchema) || !/\/schema\/vega\/|"marks"/.test(code)
  return jsonLanguages.has(name) && code.trimStart().startsWith('{') && code.includes(chartSchema)
}
