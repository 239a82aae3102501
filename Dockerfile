# The service in an image: built with everything that building needs, run with what running needs.
# The repository's root is the context: docker build -t marquee .
FROM node:24-bookworm-slim AS build
WORKDIR /marquee
# The packages are a layer of their own, which is built again only when they change. All native modules come as ready
# binaries: no compiler is needed.
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
COPY server/package.json server/
COPY web/package.json web/
RUN npm ci --ignore-scripts
COPY . .
# There is no repository in the context: --build-arg COMMIT=$(git rev-parse --short HEAD) names the commit.
ARG COMMIT=
RUN MARQUEE_COMMIT=$COMMIT npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 MARQUEE_DATA=/var/lib/marquee
WORKDIR /marquee
COPY --from=build /marquee/package.json ./
COPY --from=build /marquee/node_modules ./node_modules
COPY --from=build /marquee/server ./server
COPY --from=build /marquee/client ./client
COPY --from=build /marquee/web ./web
RUN install -d -o node -g node /var/lib/marquee
USER node
VOLUME /var/lib/marquee
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node is started directly, so that it gets the signals: SIGTERM stops, SIGHUP renews the workers.
ENTRYPOINT ["node", "/marquee/server/bin/marquee.js"]
CMD ["serve"]
