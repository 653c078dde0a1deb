/** Where browsers read what the product is called, and how it looks, when somebody installs it. */
export const webManifestPath = '/manifest.json'

const sizes = [192, 512] as const

/**
 * What an installed product is. A manifest has one colour for both themes: the light one's, which the page's own `theme-color` replaces as soon
 * as it is shown.
 * @param name what the deployment is called
 * @see https://www.w3.org/TR/appmanifest/
 */
export const webManifest = (name: string) => ({
  id: '/',
  name,
  short_name: name,
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#fbfaf7',
  theme_color: '#fbfaf7',
  icons: (['any', 'maskable'] as const).flatMap((purpose) =>
    sizes.map((size) => ({
      src: `/icons/${purpose === 'any' ? 'icon' : purpose}-${size}.png`,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose,
    })),
  ),
})
