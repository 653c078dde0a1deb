/** Longer blocks stay code: 5,000 rows are shorter. */
const maxChartCharacters = 2_000_000

/** Also in names such as `language-vega-lite`, and the media types of notebooks. */
const chartLanguage = /vega[-_ ]?lite|^vl$/
const jsonLanguages = new Set(['json', 'jsonc', 'json5', ''])
const chartSchema = '/schema/vega-lite/'

/**
 * Whether a block of code is a chart. Models name it in several ways: a block of JSON is one by its `$schema`; one of `vega` is one
 * unless it says that it is Vega, which Vega-Lite is compiled to.
 * @param language as named in the fence
 */
export function isChart(language: string, code: string): boolean {
  if (code.length > maxChartCharacters) return false
  const name = language.toLowerCase()
  if (chartLanguage.test(name)) return true
  if (name === 'vega') return code.includes(chartSchema) || !/\/schema\/vega\/|"marks"/.test(code)
  return jsonLanguages.has(name) && code.trimStart().startsWith('{') && code.includes(chartSchema)
}
