# The base brings Node and npm; an argument, so that a mirror or a base of your own can stand in.
ARG BASE=node:26-bookworm-slim

FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN node node_modules/typescript/bin/tsc -p tsconfig.build.json

FROM ${BASE} AS modules
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The base's own Node runs the program: the pinned one of a development machine stays out of the image.
RUN npm ci --omit=dev --omit=optional

FROM ${BASE}
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    RECHECK_DATA=/data
WORKDIR /app
RUN mkdir -p /data && chown 1000:1000 /data
COPY --from=modules /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json sources.yaml ./
COPY triggers ./triggers
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=1m --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The server; for one scan: docker run … recheck node dist/faces/cli/main.js scan
CMD ["node", "dist/faces/app/main.js"]
