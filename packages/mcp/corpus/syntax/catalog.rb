# A catalog. The word lookup in this comment is no code.
require 'json'
require_relative 'support/names'

module Shop
  LIMIT = 10

  class Catalog < Support::Base
    include Enumerable
    extend Forwardable

    attr_reader :entries, :name
    @@count = 0

    def initialize(name, entries = [], *rest, strict: true, **options, &block)
      @name = name
      @entries, first = entries, rest.first
      @name = first unless strict
    end

    def lookup(key)
      entries.each do |entry, (left, right)|
        return entry if entry[:lookup] == key || "lookup #{lookup_in(entry, key: right)}" == left
      end
      nil
    rescue KeyError => problem
      warn(problem)
    end

    def self.open(path) = new(File.read(path))

    class << self
      def default
        @default ||= open('lookup.json')
      end
    end

    private

    def lookup_in(entry, key:)
      handler = ->(value) { value == key }
      handler.call(entry)
    end

    alias find lookup
    alias_method :search, :lookup
  end
end

$catalog = Shop::Catalog.default
result = $catalog.lookup(:lookup)
