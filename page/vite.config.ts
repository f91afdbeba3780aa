import { defineConfig } from "vite";

// Everything is a file of its own beside the page: the server allows nothing inline and nothing from elsewhere.
export default defineConfig({
  base: "/",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
  },
  server: {
    proxy: { "/api": { target: "http://localhost:8723", ws: true, headers: { origin: "http://localhost:8723" } } },
  },
});
